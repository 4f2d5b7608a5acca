#!/usr/bin/env python3
"""Families of programs with a closed formula for the number of classes of equivalent executions.

A search with reduction must find as many different fingerprints, in every order of the fringe, and make
no redundant run: none that is cut short, none that comes to a fingerprint that was known already. Without
sleep sets, and where an order was asked for, it makes some; how many is printed.

The formulas, for conflicting steps alone (what else a thread does commutes with all others):
- Threads of the lengths n_i whose steps all conflict: their orders, (n_1 + n_2 + ...)! / n_1! n_2! ...
  So for fetch_add on one counter, and for sections of one mutex. Disjoint data: 1.
- One writer, n readers: each reads before the write or after it, 2^n.
- lastzero(n): thread j = 2..n reads cell j-1 before or after thread j-1 writes it: 2^(n-1), for
  cell 0 has no writer. Beside them thread 0 reads the cells n, n-1, ... up to the first zero. It
  stops at n (reads it before its write) or at 0 (reads all others after their writes): 2^(n-1) each.
  It stops at 0 < i < n if it reads i before its write and i+1 after its own; then thread i+1 must
  have read i before that write as well, or the writes of i, i+1 and the reads would go round in a
  circle: 2^(n-2) for each of these n-1. All together (n + 3) 2^(n-2).
"""

import os
import sys
from math import factorial, prod

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import SOURCE, built

ORDERS = ("pb", "dpor", "ss", "mdpor", "rand", "mdpor,pb")
USUAL = [("--strategy", "dfs"), ("--strategy", "best-first")]
BEST_FIRST = [("--strategy", "best-first", "--order", order) for order in ORDERS]


def interleaved(threads, times):
    return factorial(threads * times) // factorial(times) ** threads


def lastzero(cells):
    return (cells + 3) * 2 ** (cells - 2)


# Words of the program: classes. The small ones are searched in every way.
SMALL = {
    ("disjoint", 3, 4): 1,
    ("counter", 2, 5): 252,
    ("counter", 3, 2): 90,
    ("mutex", 2, 4): 70,
    ("mutex", 3, 2): 90,
    ("lastzero", 4): lastzero(4),
    ("lastzero", 6): lastzero(6),
    ("readers", 5): 2**5,
}
LARGE = {
    ("disjoint", 8, 10): 1,
    ("counter", 3, 3): 1680,
    ("counter", 2, 9): 48620,
    ("mutex", 2, 8): 12870,
    ("lastzero", 8): 704,
    ("lastzero", 12): 15360,
    ("readers", 10): 2**10,
}


class Families(harness.CommandTest):
    def setUp(self):
        super().setUp()
        self.program = built(SOURCE / "tests" / "oracle" / "reduction_families.cc")

    def covers(self, words, classes, *options):
        report = self.search("--reduce", "dpor", *options, self.program, *words, exit=0)
        self.assertEqual(report["distinct"], classes, (words, options))
        if "--sleep-sets" in options or "--order" in options:
            self.assertGreaterEqual(report["executions"] - report["pruned"], classes)
        else:
            self.assertEqual((report["executions"], report["pruned"]), (classes, 0), (words, options))
        self.assertTrue(report["coverage"]["complete"])
        self.assertEqual(report["coverage"]["reduce"], "dpor")
        redundant = report["executions"] - classes
        print(
            f"{' '.join(map(str, words)):16} {' '.join(options):60} {classes:6} classes, "
            f"{redundant:7} redundant runs ({report['pruned']} cut short), {report['seconds']:.2f} s",
            flush=True,
        )

    def test_formulas(self):
        """The numbers above, by the formulas."""
        for (family, *sizes), classes in {**SMALL, **LARGE}.items():
            match family:
                case "disjoint":
                    expected = 1
                case "counter" | "mutex":
                    expected = interleaved(*sizes)
                case "lastzero":
                    expected = lastzero(*sizes)
                case "readers":
                    expected = prod([2] * sizes[0])
            self.assertEqual(classes, expected, (family, sizes))

    def test_plain_search(self):
        """Where all executions can be made, they have as many fingerprints."""
        for words in [("counter", 2, 4), ("mutex", 2, 3), ("readers", 2), ("disjoint", 2, 4)]:
            report = self.search("--strategy", "dfs", self.program, *words, exit=0)
            family, *sizes = words
            classes = {"readers": 2**2, "disjoint": 1}.get(family) or interleaved(*sizes)
            self.assertEqual(report["distinct"], classes, words)

    def test_small(self):
        for words, classes in SMALL.items():
            for strategy in [*USUAL, *BEST_FIRST]:
                for jobs in ("1", "2"):
                    with self.subTest(words, strategy=strategy, jobs=jobs):
                        self.covers(words, classes, *strategy, "--jobs", jobs)

    def test_without_sleep_sets(self):
        for words, classes in SMALL.items():
            for strategy in USUAL:
                with self.subTest(words, strategy=strategy):
                    self.covers(words, classes, *strategy, "--sleep-sets", "off")

    def test_large(self):
        for words, classes in LARGE.items():
            for strategy in USUAL:
                with self.subTest(words, strategy=strategy):
                    self.covers(words, classes, *strategy)


if __name__ == "__main__":
    harness.main()

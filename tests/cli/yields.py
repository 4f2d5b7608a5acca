#!/usr/bin/env python3
"""heddle yields: the places where threads conflict, by rank, with what to type there."""

import os
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import HERE, built

REDUCED = ["--strategy", "best-first", "--reduce", "dpor"]


def timeless(report):
    return {**report, "seconds": None}


def line_of(source, text):
    """The number of the one line with this text."""
    lines = (HERE / source).read_text().splitlines()
    numbers = [number for number, line in enumerate(lines, 1) if text in line]
    assert len(numbers) == 1, (text, numbers)
    return numbers[0]


class Yields(harness.CommandTest):
    def listed(self, program, *options, exit=0):
        return self.heddle("yields", "--json", "-", *options, program, exit=exit).json

    def test_races_of_plain_accesses(self):
        # The orders of two reads and two writes, of which only the two reads commute:
        # 4!/(2!·2!) = 6 interleavings; r1 r2 … and r2 r1 … are alike, for each order of the writes: 4.
        report = self.listed(built("racy_counter.cc"), *REDUCED)
        read, write = line_of("racy_counter.cc", "int old"), line_of("racy_counter.cc", "old + 1")
        self.assertEqual(report["looked_at"], 4)
        self.assertTrue(report["complete"])
        self.assertEqual({place["line"] for place in report["places"]}, {read, write})
        for place in report["places"]:
            self.assertTrue(place["race"])
            # In each of the four some read and some write of two threads are next to each other.
            self.assertEqual(place["executions"], 4)
            self.assertEqual(place["location"], f"racy_counter.cc:{place['line']}")
            self.assertEqual(place["type"], f'HEDDLE_YIELD("increase:{place["line"]}")')
        cases = {place["line"]: place["cases"] for place in report["places"]}
        # The writes conflict with each other where none of the reads is between them: in two of four.
        words = [[step["operation"] for step in case["steps"]] for case in cases[write]]
        self.assertEqual(words, [["write counter", "read counter"], ["write counter"] * 2])
        self.assertEqual([case["executions"] for case in cases[write]], [4, 2])
        self.assertEqual(len(cases[read]), 1)

    def test_locks_not_what_they_guard(self):
        report = self.listed(built("seats.cc"), *REDUCED)
        source = (HERE / "seats.cc").read_text().splitlines()
        locks = {number for number, line in enumerate(source, 1) if "lock_guard" in line}
        self.assertEqual({place["line"] for place in report["places"]}, locks)
        self.assertFalse(any(place["race"] for place in report["places"]))
        self.assertEqual(report["looked_at"], 6)  # see cooperative.py

    def test_races_come_first(self):
        source = (HERE / "seats.cc").read_text().replace("--seats;", "--seats; ++races;", 1)
        source = source.replace("if (!is_free())", "races = 2;\n  if (!is_free())").replace("int seats", "int races; int seats")
        (self.dir / "both.cc").write_text(source)
        places = self.listed(built(self.dir / "both.cc"), *REDUCED)["places"]
        kinds = [place["race"] for place in places]
        self.assertEqual(kinds, sorted(kinds, reverse=True))
        self.assertEqual(set(kinds), {True, False})

    def test_not_where_there_is_a_yield_point(self):
        source = (HERE / "seats.cc").read_text().replace("  take();", '  HEDDLE_YIELD("book");\n  take();')
        (self.dir / "with_yield.cc").write_text(source)
        places = self.listed(built(self.dir / "with_yield.cc"), *REDUCED)["places"]
        self.assertEqual([place["function"] for place in places], ["is_free()"])

    def test_without_inlining(self):
        optimised = self.listed(built("seats.cc"), *REDUCED)
        plain = self.listed(built("seats.cc", "-O0"), *REDUCED)
        self.assertEqual(optimised["places"], plain["places"])

    def test_does_not_depend_on_jobs(self):
        for strategy in (["--strategy", "random", "--seed", "3", "--executions", "200"], []):
            with self.subTest(strategy):
                one = self.listed(built("correct_queue.cc"), *strategy)
                two = self.listed(built("correct_queue.cc"), *strategy, "--jobs", "2")
                self.assertEqual(timeless(one), timeless(two))
                self.assertTrue(one["places"])
                self.assertFalse(one["complete"])

    def test_text(self):
        text = self.heddle("yields", "--executions", "5", built("seats.cc"), exit=0).out
        line = line_of("seats.cc", "bool is_free") + 1
        self.assertIn(f'seats.cc:{line}  HEDDLE_YIELD("is_free:{line}");\n    lock mutex m by T', text)
        self.assertIn(" conflicts with lock mutex m by T", text)
        last = text.splitlines()[-1]
        self.assertRegex(last, r"^conflicts at 2 places; incomplete, budget exhausted \(--executions 5\) after 5 ")

    def test_failures_do_not_end_it(self):
        report = self.listed(built("seats.cc", "-DMUST_NOT_OVERBOOK"), *REDUCED)
        # Six classes, of which four fail: where both have looked before one of them takes, see cooperative.py. The search
        # begins again at the first of these, and some are met twice.
        self.assertEqual(report["distinct"], 6)
        self.assertGreaterEqual(report["failing_executions"], 4)
        self.assertGreaterEqual(report["looked_at"], 6)
        self.assertTrue(report["complete"])

    def test_leaves_nothing_behind(self):
        self.listed(built("correct_queue.cc"), "--executions", "5")
        self.listed(built("seats.cc", "-DMUST_NOT_OVERBOOK"))
        self.assertEqual(list(self.dir.iterdir()), [])

    def test_no_conflicts(self):
        (self.dir / "alone.cc").write_text("int main() {}\n")
        ran = self.heddle("yields", built(self.dir / "alone.cc"), exit=0)
        self.assertRegex(ran.out, r"^no conflicts; all schedules .*, 1 execution")

    def test_mistakes(self):
        self.assertIn("unknown option --resume", self.heddle("yields", "--resume", "x", exit=2).err)
        self.assertIn("heddle yields", self.heddle("yields", exit=2).err)
        self.assertIn("cannot be written", self.heddle("yields", "--json", "/none/x", built("seats.cc"), exit=2).err)


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""The fair scheduler against Algorithm 1 in Python (tests/oracle/fair.py), and the paper's theorems on families of programs.

By hand, with other seeds and as many programs as you like:
  HEDDLE_BIN_DIR=build/release/bin HEDDLE_SOURCE_DIR=. python3 tests/cli/oracle_fair.py --seeds 7 8 9 --count 500
"""

import argparse
import os
import pathlib
import sys
import tempfile
import unittest

for folder in ("", "oracle"):
    sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", folder))
import compare
import enumerator
import fair
import fair_compare
import fair_generate
import families
import generate
import machine
import model
import processes


def fair_machine(program, every=1):
    return fair.FairMachine(machine.Machine(program), every)


def spinner(body, steps):
    """One thread spins until main, after so many steps, lets it go on."""
    name = f"spins with {body} operations, {steps} steps"
    inside = families.times(body, "load 1")
    main = f"create 1; {families.times(steps, 'add 2 1')}; store 0 1; join 1"
    return model.program(name, f"main: {main}\n1: load 0; while 0 {{ {inside}; yield; load 0 }}")


# How two threads take two locks in opposite orders, and give the first back if they cannot have the
# second: take {0}, try {1}, give {0} back. Whoever runs alone gets both.
RETRIES = [
    ("lock {0}", "trylock {1}", "unlock {0}"),
    ("lock {0}", "timedlock {1}", "unlock {0}"),
    ("spinlock {0}", "spintrylock {1}", "spinunlock {0}"),
]


def philosophers(number):
    def body(*forks):
        take, attempt, give = (text.format(*forks) for text in RETRIES[number])
        other = RETRIES[number][2].format(*reversed(forks))
        return f"while 0 {{ {take}; {attempt}; if 0 {{ {give} }} }}; {give}; {other}"

    text = f"main: create 1; {body(0, 1)}; join 1\n1: {body(1, 0)}"
    return model.program(f"philosophers {number}", text)


class Algorithm(unittest.TestCase):
    """The same executions: as many of them, with the same endings and final values, for each bound."""

    def test_programs_that_retry(self):
        programs = fair_generate.programs(seed=1, count=20 if processes.ALL_SAMPLES else 10, ends=True)
        self.assertTrue(compare.check(programs, every=1))

    def test_each_second_yield(self):
        programs = fair_generate.programs(seed=2, count=10, ends=True)
        few = [p for p in programs if not fair.endless(fair_machine(p, 2))]
        few = [p for p in few if enumerator.histogram(fair_machine(p, 2), None).total() < 20_000]
        self.assertTrue(compare.check(few, "clang++", every=2))

    def test_programs_of_all_kinds(self):
        self.assertTrue(compare.check(generate.programs(seed=30, count=15 if processes.ALL_SAMPLES else 8), every=1))


class Theorems(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="heddle-fair-")
        cls.ending = fair_generate.programs(seed=3, count=12, ends=True)
        cls.endless = [philosophers(number) for number in range(len(RETRIES))]
        cls.endless += fair_generate.programs(seed=4, count=10, ends=False)
        cls.spinners = [spinner(body, steps) for body in (0, 1, 2) for steps in (0, 1, 2)]
        cls.programs = cls.ending + cls.endless + cls.spinners
        cls.binary = compare.build(cls.programs, pathlib.Path(cls.folder.name), states=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def searched(self, program, *options):
        number = self.programs.index(program)
        return fair_compare.search(self.binary, number, "--strategy", "dfs", *options)

    def test_3_no_false_deadlock(self):
        """Where the scheduler leaves nobody, nobody could go: only then a search says deadlock."""
        for program in self.ending:
            with self.subTest(program=str(program)):
                model_machine = fair_machine(program)
                for state in fair.reachable(model_machine):
                    left, all_options = model_machine.options(state), machine.Machine(program).options(state.state)
                    self.assertEqual(bool(left), bool(all_options))
                report, _ = self.searched(program, "--keep-going")
                kinds = {failure["kind"] for failure in report["failures"]}
                stuck = any(not machine.Machine(program).options(s) for s in fair.reachable(machine.Machine(program)))
                self.assertLessEqual(kinds, {"deadlock"} if stuck else set())

    def test_4_an_unfair_cycle_is_unrolled_at_most_twice(self):
        """Before each of main's steps (those given, and the store) the spinner yields at most twice: once in a window in which main
        had its turn, or its first, and once more in one in which it had none; then main goes first. Main has a begin, the create,
        the store, the join and the exit beside; the spinner a begin, a load, for each round a load and a yield, and an end."""
        for body in (0, 1, 2):
            for steps in (0, 1, 2):
                with self.subTest(body=body, steps=steps):
                    most = (5 + steps) + (3 + 2 * (steps + 1) * (body + 2))
                    program = self.spinners[body * 3 + steps]
                    self.assertEqual(enumerator.steps(fair_machine(program), None)[1], most)
                    report, _ = self.searched(program)
                    self.assertEqual((report["verdict"], report["max_steps"]), ("passed", most))

    def test_5_all_states_of_yield_count_zero_are_visited(self):
        for program in self.ending:
            with self.subTest(program=str(program)):
                report, states = self.searched(program, "--keep-going")
                self.assertEqual(len(states), report["coverage"]["states"])
                without = fair.without_yields(machine.Machine(program))
                self.assertLessEqual(fair_compare.declared_states(without), states)
                self.assertEqual(fair_compare.declared_states(fair.reachable(fair_machine(program))), states)

    def test_6_livelocks_are_found(self):
        """Fair cycles in which nobody yields twice, from a state of yield count zero; and in fact all that the algorithm leaves."""
        gentle = [program for program in self.endless if fair.has_gentle_livelock(fair.Forgetful(program))]
        self.assertGreater(len(gentle), len(self.endless) // 2)
        for program in self.endless:
            with self.subTest(program=str(program)):
                self.assertTrue(fair.endless(fair_machine(program)))
                report, _ = fair_compare.search(self.binary, self.programs.index(program))
                self.assertEqual([failure["kind"] for failure in report["failures"]], ["livelock"])
        for program in self.ending:
            self.assertFalse(fair.has_gentle_livelock(fair.Forgetful(program)))


def main():
    parser = argparse.ArgumentParser(description="Compares heddle with Algorithm 1.")
    parser.add_argument("--seeds", type=int, nargs="+")
    parser.add_argument("--count", type=int, default=50, help="programs of each seed")
    options, rest = parser.parse_known_args()
    if options.seeds is None:
        unittest.main(argv=[sys.argv[0], *rest])
    good = [compare.check(fair_generate.programs(seed, options.count, True), every=1) for seed in options.seeds]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())

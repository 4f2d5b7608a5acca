#!/usr/bin/env python3
"""State matching loses nothing. On random programs, searches that stop where they have been before find what plain
depth-first search with the same bound finds: the same classes of executions, final values and failures. So do
depth-first search, best-first search in several orders, and randomized backtracking that never goes back by chance, in
its three orders. matching_fair.py looks at programs that spin and retry.

By hand, with as many programs as you like, and every difference made small:
  HEDDLE_BIN_DIR=build/release/bin HEDDLE_SOURCE_DIR=. \\
      python3 tests/cli/matching.py --seeds 1000-3000 --minimise
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SOURCE = os.environ["HEDDLE_SOURCE_DIR"]
sys.path[:0] = [os.path.join(SOURCE, "tests", name) for name in ("command", "fuzz")]
import driver
import generate
import harness
import minimise
from harness import built

ALL_WAYS = 14  # of interpreter_compare.cc
BACKTRACK = ("--strategy", "backtrack", "--threshold", "0", "--jump", "fixed", "--ratio", "1")
DECLARES = """
#include <heddle/heddle.h>
#include <atomic>
#include <thread>
std::atomic<int> x;
int main() {
  heddle::state([] { return x.load(); });
  std::thread other([] { x = 1; x = 2; });
  ++x;
  other.join();
}
"""
SCRIPT = """
#include <heddle/scenario.h>
#include <cstdio>
int main() {
  auto script = [](heddle::Script& s) {
    s.thread("T", [] {});
    while (!s.all_ended()) s.transfer(heddle::script::any).until(heddle::script::end);
  };
  auto options = heddle::Options().set("strategy", "dfs").set("match", "on");
  std::puts(heddle::scenario(script, options).forall().text().c_str());
}
"""


def compare_seeds(seeds, interpreter, ways, batch):
    """What driver.compare says, with the programs."""
    programs = [generate.program(seed) for seed in seeds]
    result = driver.compare(interpreter, list(map(str, programs)), 0, 0, seeds[0] // 100, matching=ways, batch=batch)
    return programs, result


class Matching(harness.CommandTest):
    def built_from(self, text):
        source = self.dir / "source.cc"
        source.write_text(text)
        return built(source)

    def test_random_programs(self):
        """40 programs of all kinds, in batches of eight, each with another bound: none, one on the depth, 0, 1 and 2
        preemptions. In all, at most a half of the executions are left."""
        programs, result = compare_seeds(range(40), driver.build(self.dir), ALL_WAYS // 2, 8)
        told = [f"{programs[number]}\n  {way}\n  {problem}" for number, way, problem in result.differences]
        self.assertEqual(told, [])
        self.assertGreaterEqual(result.comparisons, 40 * 5)
        self.assertLess(result.matching, result.plain / 2)

    def test_how_many_are_left(self):
        """Two threads with three operations each on variables of their own, and main that waits. Plain search makes
        all interleavings. With matching each state is left once by each thread that can go; a state where only one can
        is no choice. Classes: one."""
        program = [built("updates.c"), "2", "3", "own"]
        plain = self.search("--strategy", "dfs", *program, exit=0)
        self.assertIsNone(plain["matching"])
        for way in [("--strategy", "dfs", "--match", "on"), BACKTRACK]:
            report = self.search(*way, *program, exit=0)
            self.assertEqual((report["verdict"], report["distinct"]), ("passed", plain["distinct"]))
            self.assertLess(report["executions"] * 4, plain["executions"])
            self.assertGreater(report["matching"]["matched"], 0)
            self.assertIsNone(report["matching"]["depth"])
            # An execution has a transition that no other has: its last decision.
            self.assertLessEqual(report["executions"], 2 * report["matching"]["states"])
        off = self.search("--strategy", "dfs", "--match", "off", *program, exit=0)
        self.assertEqual(off["executions"], plain["executions"])

    def test_words(self):
        """All schedules, if the happens-before stands for the state; never if the test says what a state is."""
        program = [built("updates.c"), "2", "2"]
        declared = self.built_from(DECLARES)
        for way in [("--strategy", "dfs"), ("--strategy", "best-first"), BACKTRACK]:
            for bound in [(), ("--preemptions", "1")]:
                with self.subTest(way=way, bound=bound):
                    out = self.heddle("run", *way, *bound, "--match", "on", *program, exit=0).out
                    self.assertRegex(out, "^passed: all schedules with .*, each state once: ")
                    out = self.heddle("run", *way, *bound, "--match", "on", declared, exit=0).out
                    self.assertNotIn("all schedules", out)
                    self.assertIn("heddle::state", out)

    def test_failure(self):
        """Found with matching too, and the depth of its state told."""
        program = [built("updates.c"), "2", "2", "split"]
        for way in [("--strategy", "dfs", "--match", "on"), BACKTRACK]:
            report = self.search(*way, *program, exit=1)
            self.assertGreater(report["matching"]["depth"], 0)
            self.assertGreater(report["matching"]["states"], 0)
            schedule = report["failures"][0]["schedule"]
            self.heddle("replay", schedule, exit=1)

    def test_backtracking_by_chance(self):
        """Something is left out, and it says so; whatever chance says, it is repeatable."""
        program = [built("updates.c"), "3", "2"]
        for threshold, ratio in [("0", "0"), ("0", "0.5"), ("3", "0"), ("5", "0.9"), ("5", "1-d/20")]:
            for jump in ["fixed", "random", "luby"]:
                with self.subTest(threshold=threshold, ratio=ratio, jump=jump):
                    words = ["--strategy", "backtrack", "--threshold", threshold, "--ratio", ratio, "--jump", jump]
                    report = self.search(*words, *program, exit=0)
                    self.assertEqual(report["verdict"], "incomplete")
                    two = self.search(*words, "--jobs", "2", *program, exit=0)
                    self.assertEqual(two["matching"], report["matching"])
                    self.assertEqual(two["executions"], report["executions"])

    def test_does_not_go_with(self):
        program = built("updates.c")
        refused = {
            ("--reduce", "dpor", "--strategy", "dfs"): "--match does not go with --reduce dpor",
            ("--strategy", "auto"): "--match does not go with --strategy auto; type --strategy dfs",
            (): "--match does not go with --strategy auto",
            ("--strategy", "random"): "--match does not go with --strategy random",
            ("--strategy", "rf"): "--match does not go with --strategy rf",
        }
        for options, words in refused.items():
            with self.subTest(options):
                self.assertIn(words, self.heddle("run", *options, "--match", "on", program, exit=2).err)
        told = subprocess.run([self.built_from(SCRIPT)], capture_output=True, text=True, cwd=self.dir)
        self.assertIn("--match does not go with a script", told.stdout + told.stderr)

    def test_bad_parameters(self):
        program = built("updates.c")
        for name, value in [("ratio", "1.5"), ("jump", "far"), ("threshold", "many"), ("backtrack-order", "any")]:
            with self.subTest(name):
                ran = self.heddle("run", "--strategy", "backtrack", f"--{name}", value, program, exit=2)
                self.assertIn(f"--{name}: ", ran.err)
                self.assertIn(value, ran.err)
        ran = self.heddle("run", "--strategy", "dfs", "--jump", "luby", program, exit=2)
        self.assertIn("--jump goes with --strategy backtrack", ran.err)
        ran = self.heddle("run", "--strategy", "backtrack", "--delays", "2", program, exit=2)
        self.assertIn("takes neither --delays nor --reduce", ran.err)


def range_of(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def by_hand(given):
    begin, differing, skipped, plain, matching = time.monotonic(), 0, 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="heddle-matching-", dir=driver.scratch()) as directory:
        interpreter = driver.build(pathlib.Path(directory))
        for first in range(0, len(given.seeds), 400):
            programs, result = compare_seeds(given.seeds[first : first + 400], interpreter, ALL_WAYS, 40)
            differing += len({number for number, _, _ in result.differences})
            skipped, plain, matching = skipped + len(result.skipped), plain + result.plain, matching + result.matching
            for number, way, problem in result.differences:
                print(f"seed {given.seeds[first + number]}: {programs[number]}\n  {way}\n    {problem}", flush=True)
                if given.minimise:
                    print(f"  smallest: {minimise.minimise(programs[number], driver.still_differs(interpreter, way))}")
    print(
        f"{len(given.seeds)} programs, {differing} differ; {skipped} were too long; {plain} plain executions, {matching} "
        f"with matching; {time.monotonic() - begin:.0f} s"
    )
    return 1 if differing else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compares searches with and without state matching.")
    parser.add_argument("--seeds", type=range_of, help="1000-3000, or one")
    parser.add_argument("--minimise", action="store_true", help="make programs that differ small")
    given, _ = parser.parse_known_args()
    if given.seeds:
        sys.exit(by_hand(given))
    harness.main()

#!/usr/bin/env python3
"""Whether workers search subtrees by themselves or not: a search covers and counts the same, and for every number of jobs it is the
same search."""

import os
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import PROGRAMS, SOURCE, built, timeless

DFS = ("--strategy", "dfs")
COUNTS = ("executions", "steps", "distinct", "pruned", "threads", "max_steps", "failing_executions")


def counts(report):
    found = {name: report.get(name) for name in COUNTS}
    found["coverage"] = {name: value for name, value in report["coverage"].items() if name != "tree"}
    found["failures"] = sorted(failure["kind"] + str(failure["location"]) for failure in report["failures"])
    return found


class Subtrees(harness.CommandTest):
    def same(self, program, *options, exit=0, jobs=(1, 2, 5)):
        """The report of one job, after a comparison with others, and with a search that runs each execution itself."""
        words = (*DFS, *options)
        first, *others = [self.search("--jobs", count, *words, *program, exit=exit) for count in jobs]
        for other in others:
            self.assertEqual(timeless(other), timeless(first))
        if first["coverage"]["complete"]:
            without = self.search("--subtrees", "off", *words, *program, exit=exit)
            self.assertEqual(counts(without), counts(first))
        return first

    def test_counts(self):
        program = [built(SOURCE / "bench" / "programs" / "throughput.cc")]
        self.assertEqual(self.same(program)["executions"], 12_869)
        for options in [("--preemptions", "5"), ("--delays", "6"), ("--depth", "15"), ("--preemptions", "6", "--depth", "16")]:
            with self.subTest(options):
                self.assertGreater(self.same(program, *options)["executions"], 2_100)

    def test_other_searches(self):
        """The last bound of `auto`, and best-first search."""
        throughput, ends = built(SOURCE / "bench" / "programs" / "throughput.cc"), built("many_ends.cc")
        for program, options, exit in [
            ([throughput], ("--strategy", "auto", "--preemptions", "5"), 0),
            ([throughput], ("--strategy", "best-first", "--delays", "6"), 0),
            ([ends, "98", "fail", "state"], ("--strategy", "auto", "--preemptions", "6", "--keep-going"), 1),
        ]:
            with self.subTest(options):
                report = self.same(program, *options, exit=exit, jobs=(1, 2))
                self.assertTrue(report["coverage"]["complete"])
                self.assertGreater(report["executions"], 2_048)

    def test_ends(self):
        """What is not ordinary, in the middle of subtrees."""
        program = built("many_ends.cc")
        for words, kinds in [(("assume",), 0), (("state",), 0), (("fail", "state"), 2), (("crash", "assume"), 1), (("kill",), 1)]:
            with self.subTest(words):
                report = self.same([program, "98", *words], "--keep-going", exit=1 if kinds else 0, jobs=(1, 2))
                self.assertEqual(len(report["failures"]), kinds)
                self.assertTrue(report["coverage"]["complete"])
                self.assertEqual("assume" in words, report["pruned"] > 0)
                self.assertEqual(report["coverage"].get("states"), 11 if "state" in words else None)

    def test_the_first_failure(self):
        program = [built("many_ends.cc"), "98", "crash"]
        report = self.same(program, exit=1)
        self.assertGreater(report["failures"][0]["execution"], 2048)
        self.assertEqual(report["failures"][0]["execution"], report["executions"])

    def test_budgets(self):
        program = [built(SOURCE / "bench" / "programs" / "throughput.cc")]
        for budget in (2048, 2050, 5001):
            report = self.same(program, "--executions", budget)
            self.assertEqual(report["executions"], budget)

    def test_resume(self):
        program = [built(SOURCE / "bench" / "programs" / "throughput.cc")]
        whole = self.search(*DFS, "--out", "whole", *program)
        resume = ()
        for number, budget in enumerate((2500, 1, 3000, 10_000)):
            report = self.search(*DFS, *resume, "--executions", budget, "--jobs", 1 + number % 2, *program)
            resume = ("--resume",)
        self.assertEqual(timeless(report), timeless(whole))


if __name__ == "__main__":
    harness.main()

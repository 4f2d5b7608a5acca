#!/usr/bin/env python3
"""`auto` has samplers beside its stages: the same executions for every number of jobs, hardly more of them where the
stages are enough, and far fewer to a bug that the stages are late to come to."""

import os
import pathlib
import re
import sys

SOURCE = os.environ["HEDDLE_SOURCE_DIR"]
sys.path.insert(0, os.path.join(SOURCE, "tests", "command"))
import harness
from harness import built

SAMPLERS = {"rf", "pos", "pct", "surw", "random"}
BUGS = pathlib.Path(SOURCE) / "bench" / "bugs"
# Passing ones, of all sizes: one with fewer than 24 schedules, for which there are no samples, to some thousand.
PASSING = [
    [built("updates.c"), "1", "2"],
    [built("updates.c"), "2", "1"],
    [built("updates.c"), "2", "2"],
    [built("updates.c"), "2", "4"],
    [built("updates.c"), "2", "4", "own"],
    [built("updates.c"), "3", "2"],
    [built("small_threads.c"), "l0 a0 u0", "l0 a0 u0", "a1"],
    [built("small_threads.c"), "l0 l1 a0 u1 u0", "l0 l1 a0 u1 u0"],
]


class Portfolio(harness.CommandTest):
    def listed(self, *words, name="list", **how):
        self.search(*words, **how)
        return (self.dir / name).read_text().splitlines()[1:]

    def sampled(self, report):
        return sum(sampler["executions"] for sampler in report["strategy"]["sampled"])

    def staged(self, report):
        return sum(stage["executions"] for stage in report["strategy"]["stages"])

    def test_share(self):
        """Samples are no more than a quarter of what the stages have run and know to wait: with all that is run, 1.25
        times the stages. A stage's schedules that wait may be run by none in the end, so 1.3."""
        for program in PASSING:
            with self.subTest(program[1:]):
                report = self.search(*program, exit=0)
                self.assertEqual(report["verdict"], "passed")
                self.assertTrue(report["coverage"]["complete"])
                executions = report["executions"] - report["learning"]
                self.assertEqual(self.staged(report) + self.sampled(report), executions)
                self.assertLessEqual(executions, 1.3 * self.staged(report))
                self.assertLessEqual({sampler["name"] for sampler in report["strategy"]["sampled"]}, SAMPLERS)
                for sampler in report["strategy"]["sampled"]:
                    self.assertLessEqual(sampler["distinct"], sampler["executions"])
                self.assertEqual(self.sampled(report) == 0, executions < 30)

    def test_stages_are_the_same(self):
        """With samplers and without (a bound is given, and none): they take nothing from what is covered."""
        program = [built("updates.c"), "3", "2"]
        with_samplers = self.search(*program, exit=0)["strategy"]
        bounded = self.search("--preemptions", "2", *program, exit=0)["strategy"]
        self.assertEqual(bounded["sampled"], [])
        counts = [[stage["executions"] for stage in strategy["stages"]] for strategy in (with_samplers, bounded)]
        self.assertEqual(counts[0][:3], counts[1])
        self.assertEqual({sampler["name"] for sampler in with_samplers["sampled"]}, SAMPLERS)

    def test_jobs(self):
        """The same executions, in the same order; others with another seed."""
        for program in PASSING[3:6]:
            with self.subTest(program[1:]):
                words = ["--list-executions", "list", "--jobs"]
                one = self.listed(*words, "1", *program, exit=0)
                self.assertEqual(self.listed(*words, "2", *program, exit=0), one)
                self.assertEqual(self.listed(*words, "3", *program, exit=0), one)
                self.assertNotEqual(self.listed(*words, "1", "--seed", "9", *program, exit=0), one)

    def test_resumed(self):
        program = [built("updates.c"), "3", "2"]
        whole = self.listed("--list-executions", "list", *program, exit=0)
        self.assertGreater(len(whole), 1000)
        pieces = self.listed("--list-executions", "list", "--executions", 400, *program, exit=0)
        pieces += self.listed("--list-executions", "list", "--executions", 350, "--resume", *program, exit=0)
        pieces += self.listed("--list-executions", "list", "--resume", *program, exit=0)
        self.assertEqual(pieces, whole)

    def test_made_simple(self):
        """One of twenty threads has to be stopped between two accesses: one preemption. A sampler makes many; most are
        taken out before the failure is told, and the schedule that is saved is the simple one."""
        program = built(BUGS / "reorder.cc", "-DTHREADS=20")
        most = 0
        for seed in range(1, 6):
            with self.subTest(seed):
                self.heddle("run", "--races", "explore", "--json", "report", "--seed", seed, program, exit=1)
                failure = self.report("report")["failures"][0]
                self.assertEqual(failure["kind"], "assertion")
                self.assertLessEqual(failure["preemptions"], 2)
                if failure["sampler"]:
                    most = max(most, failure["found"]["preemptions"])
                again = self.search_again(failure["schedule"])
                self.assertEqual(again["preemptions"], failure["preemptions"])
        self.assertGreater(most, 10)

    def test_one_preemption(self):
        """Ten threads: 10! orders without a preemption come first, and none of them fails. Samplers need some dozens of
        executions; what they find is told with their name, and can be replayed."""
        program = built(BUGS / "one_preemption.cc")
        found_by = set()
        for seed in range(1, 6):
            with self.subTest(seed):
                ran = self.heddle("run", "--json", "report", "--seed", seed, "--executions", 200, program, exit=1)
                report = self.report("report")
                failure = report["failures"][0]
                self.assertEqual((failure["kind"], failure["stage"]), ("assertion", None))
                self.assertIn(failure["sampler"], SAMPLERS)
                found_by.add(failure["sampler"])
                self.assertIn(failure["sampler"], ran.out)
                names = [sampler["name"] for sampler in report["strategy"]["sampled"]]
                self.assertIn(failure["sampler"], names)
                self.assertEqual(self.staged(report) + self.sampled(report), report["executions"])
                again = self.search_again(failure["schedule"])
                self.assertEqual(
                    [again[name] for name in ("kind", "message", "steps")],
                    [failure[name] for name in ("kind", "message", "steps")],
                )
        self.assertGreater(len(found_by), 1)

    def test_found_by_a_stage(self):
        """Then no sampler is named."""
        failure = self.search(built("updates.c"), "2", "2", "split", exit=1)["failures"][0]
        self.assertEqual((failure["stage"], failure["sampler"]), ("at most 1 preemption", None))

    def report(self, name):
        return harness.json.loads((self.dir / name).read_text())

    def search_again(self, schedule):
        """The failure of its replay."""
        self.heddle("replay", "--json", "again", schedule, exit=1)
        return self.report("again")["failures"][0]


if __name__ == "__main__":
    harness.main()

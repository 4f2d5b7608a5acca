#!/usr/bin/env python3
"""Programs that do what no program should: they are reported or undone, and cost a worker at most.

What goes wrong does so in some executions of tests/command/rogue.c; the others end well, and are counted.
"""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
import processes
from harness import built

ALL = ["--keep-going", "--strategy", "dfs"]


class Rogue(harness.CommandTest):
    def setUp(self):
        super().setUp()
        self.program = built("rogue.c")
        (self.dir / "stamp").touch()

    def run_all(self, what, *options, exit=1):
        return self.search(*ALL, *options, self.program, what, exit=exit)

    def fails_as(self, what, kind, *says, options=()):
        """Complete, with one failure that is told as such, and that its schedule leads to again."""
        report = self.run_all(what, *options)
        self.assertTrue(report["coverage"]["complete"], report)
        self.assertEqual([failure["kind"] for failure in report["failures"]], [kind])
        failure = report["failures"][0]
        for text in says:
            self.assertIn(text, failure["message"])
        times = "2" if kind == "hang" else "20"
        self.heddle("replay", "--times", times, *options, failure["schedule"], exit=1)
        self.assertTrue(0 < report["failing_executions"] < report["executions"], report)
        return report

    def harmless(self, what, *options):
        """Nothing of it reaches the next execution: all of them pass, and number the same."""
        report = self.run_all(what, *options, exit=0)
        self.assertEqual(report["verdict"], "passed")
        return report

    def test_endless_loop(self):
        self.fails_as("loop", "hang", options=["--hang-after", "0.3"])

    def test_endless_loop_that_hears_nothing(self):
        """It is given time to answer, each time: once is enough here."""
        how = ["--hang-after", "0.3"]
        report = self.search("--strategy", "dfs", "--explain", "off", *how, self.program, "deaf-loop", exit=1)
        (failure,) = report["failures"]
        self.assertEqual(failure["kind"], "hang")
        self.assertIn("no answer", failure["message"])
        self.heddle("replay", *how, failure["schedule"], exit=1)

    @unittest.skipUnless(processes.ALL_SAMPLES, "./dev test --all")
    def test_endless_loop_that_hears_nothing_in_all_executions(self):
        self.fails_as("deaf-loop", "hang", "no answer", options=["--hang-after", "0.3"])

    def test_exits(self):
        self.fails_as("_exit", "exit", "status 9")
        self.fails_as("quick_exit", "exit", "status 10")
        self.fails_as("exit-group", "exit", "status 11")
        self.harmless("_exit-0")

    def test_exits_behind_our_back(self):
        self.fails_as("raw-exit-group", "exit", "status 12")
        report = self.run_all("raw-exit-group-0")
        self.assertEqual(report["failures"][0]["kind"], "exit", report)

    def test_signals(self):
        self.fails_as("term", "crash", "SIGTERM")
        self.fails_as("kill-group", "crash", "SIGKILL")
        self.fails_as("stop", "hang", options=["--hang-after", "0.3"])

    def test_parent_killed(self):
        """The nursery is made anew. Whether the worker ends the execution before it follows is a matter of chance."""
        report = self.run_all("kill-parent", exit=None)
        self.assertIn(report["exit_code"], (0, 1, 3), report)

    def test_stack(self):
        self.fails_as("recurse", "crash", "stack")

    def test_memory_taken_away(self):
        """
        What others use there races with that, too: see tests/programs/verdict/unmapped_in_use.cc. Either of two
        lines is the first to use it, each in a hook.
        """
        for what in ["unmap", "protect"]:
            report = self.run_all(what, "--races", "ignore")
            self.assertEqual([failure["kind"] for failure in report["failures"]], ["crash"] * 2)
            self.assertEqual(len({failure["location"] for failure in report["failures"]}), 2, report)
            for failure in report["failures"]:
                self.heddle("replay", "--times", "20", failure["schedule"], exit=1)

    def test_flood(self):
        self.assertGreater(self.harmless("flood")["executions"], 3)
        ran = self.heddle("run", *ALL, self.program, "flood", exit=0)
        self.assertLess(len(ran.out + ran.err), 1000)

    def test_flood_and_fail(self):
        """Of 13 MB of output the end is shown."""
        ran = self.heddle("run", self.program, "flood-and-fail", exit=1)
        self.assertIn("the last words", ran.out)
        self.assertLess(len(ran.out), 2 << 20)
        self.assertIn("status 5", ran.out)

    def test_closed_descriptors(self):
        self.harmless("close")
        self.fails_as("close-and-fail", "exit", "status 5")
        self.harmless("reuse-descriptors")

    def test_all_descriptors_closed(self):
        report = self.run_all("close-all", exit=None)
        self.assertIn(report["verdict"], ("passed", "failed"))

    def test_what_the_kernel_keeps(self):
        """The mask of the process reaches the next execution, and that is told. A fresh process does not have it. The
        directory is set back."""
        report = self.run_all("umask", exit=None)
        self.assertEqual(report["exit_code"], 3)
        self.assertNotEqual(report["verdict"], "passed")
        self.harmless("umask", "--isolation", "fork")
        self.harmless("chdir")

    def test_limits(self):
        report = self.run_all("limits", exit=None)
        self.assertIn(report["exit_code"], (0, 1))


class WildWrites(harness.CommandTest):
    """Over the memory of Heddle itself. What comes of it cannot be foreseen; but the engine survives, says that
    something is wrong, and does not call it passed."""

    FILLS = ["0", "1", "0x41", "0xff"]

    def survives(self, what, *options):
        with self.subTest(what, options=options):
            options = [*ALL, "--hang-after", "1", "--json", "result.json", *options]
            ran = self.heddle("run", *options, built("rogue.c"), what)
            self.assertIn(ran.exit, (1, 2, 3, 4), ran)
            self.assertNotRegex(ran.out, "(?m)^passed")

    def test_over_the_region(self):
        """All of it: that is noticed, and the schedule leads there again, though the steps are lost."""
        for fill in self.FILLS:
            for jobs in ["1", "3"]:
                with self.subTest(fill=fill, jobs=jobs):
                    options = [*ALL, "--jobs", jobs, built("rogue.c"), f"region={fill}"]
                    report = self.search(*options, exit=1)
                    (failure,) = report["failures"]
                    self.assertEqual(failure["kind"], "crash")
                    self.assertIn("wrote over memory that Heddle shares", failure["message"])
                    self.assertFalse(report["coverage"]["complete"])
                    self.heddle("replay", "--times", "5", failure["schedule"], exit=1)

    def test_here_and_there_in_the_region(self):
        self.survives("scatter")

    def test_over_the_runtime(self):
        for fill in self.FILLS:
            self.survives(f"runtime={fill}")
        self.survives("runtime=0", "--jobs", "2")

    def test_over_everything(self):
        for fill in self.FILLS:
            self.survives(f"everything={fill}")


if __name__ == "__main__":
    harness.main()

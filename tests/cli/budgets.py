#!/usr/bin/env python3
"""Budgets: executions to the one, seconds soon; what is not covered is never called passed."""

import os
import pathlib
import sys
import time

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import built

# Around the number of jobs that may be under way at a time, 256.
EXECUTIONS = [1, 2, 17, 255, 256, 257, 1000]


class Budgets(harness.CommandTest):
    def test_executions(self):
        program = [built("updates.c"), "3", "4"]
        for strategy in ["dfs", "random"]:
            for count in EXECUTIONS:
                for jobs in [1, 2, 3]:
                    with self.subTest(strategy=strategy, executions=count, jobs=jobs):
                        options = ["--strategy", strategy, "--executions", count, "--jobs", jobs]
                        report = self.search(*options, *program, exit=0)
                        self.assertEqual(report["executions"], count)
                        self.assertEqual(report["verdict"], "incomplete")
                        self.assertEqual(report["stopped_by"], f"--executions {count}")
                        self.assertFalse(report["coverage"]["complete"])

    def test_exactly_enough(self):
        """2 threads of 2 updates: the budget that is just enough completes the search."""
        program = ["--strategy", "dfs", built("updates.c"), "2", "2"]
        report = self.search(*program, exit=0)
        self.assertEqual(report["verdict"], "passed")
        total = report["executions"]
        for count, verdict in [(total - 1, "incomplete"), (total, "passed"), (total + 1, "passed")]:
            report = self.search("--executions", count, *program, exit=0)
            self.assertEqual((report["executions"], report["verdict"]), (min(count, total), verdict))

    def test_failing_programs(self):
        """The budget counts the failing executions too, and the last one may be the one that fails."""
        program = ["--strategy", "dfs", built("updates.c"), "2", "2", "split"]
        first = self.search(*program, exit=1)["executions"]
        report = self.search("--executions", first - 1, *program, exit=0)
        self.assertEqual((report["executions"], report["verdict"]), (first - 1, "incomplete"))
        report = self.search("--executions", first, *program, exit=1)
        self.assertEqual((report["executions"], report["verdict"]), (first, "failed"))
        for count in [first, first + 1, first + 40]:
            report = self.search("--keep-going", "--executions", count, *program, exit=1)
            self.assertEqual(report["executions"], count)

    def test_seconds(self):
        """Loose above: the machine may be busy. Not at all below."""
        for options in [["--strategy", "dfs"], ["--strategy", "random"], ["--jobs", "3"]]:
            begin = time.monotonic()
            program = ["--preemptions", "none", built("updates.c"), "4", "8"]
            ran = self.heddle("run", "--seconds", "0.7", "--json", "-", *options, *program, exit=0)
            passed = time.monotonic() - begin
            report = ran.json
            self.assertTrue(0.7 <= passed < 15, passed)
            self.assertTrue(0.7 <= report["seconds"] < 15, report)
            self.assertEqual(report["verdict"], "incomplete")
            self.assertEqual(report["stopped_by"], "--seconds 0.7")
            self.assertGreater(report["executions"], 100)
            self.assertIn("incomplete: budget exhausted (--seconds 0.7)", ran.err)

    def timed(self, *words, exit):
        begin = time.monotonic()
        report = self.search(*words, exit=exit)
        return time.monotonic() - begin, report

    def test_seconds_are_kept(self):
        """To a tenth, and one execution, with all that comes after the search: to save what waits, to run the first
        schedule again, to make a failure simple. What the machine takes for one is measured before and after; where
        it was busy in between, the case is run again: a budget that is not kept is not kept by any of five runs."""
        many = ["--strategy", "best-first", "--order", "pb", "--preemptions", "none"]
        cases = [
            # Millions of schedules are to be saved.
            (many, ["3", "2000"], 3, 0),
            # Executions of half a million steps.
            (["--strategy", "dfs"], ["3", "200000"], 2, 0),
            # A failure with hundreds of preemptions, that a sampler finds at once.
            (["--samplers", "pos"], ["3", "300", "split"], 0.3, 1),
        ]
        for options, arguments, seconds, exit in cases:
            with self.subTest(options=options, arguments=arguments):
                program = [built("updates.c"), *arguments]
                one = [*options, "--executions", "1", *program]
                over = []
                for _ in range(5):
                    before, _ = self.timed(*one, exit=0)
                    passed, _ = self.timed(*options, "--seconds", seconds, *program, exit=exit)
                    after, _ = self.timed(*one, exit=0)
                    # To write the report, schedule and trace of a failure takes a while, too.
                    writing = 0.1 if exit == 1 else 0
                    over.append(passed - 1.1 * seconds - 2 * max(before, after) - writing)
                    if over[-1] < 0:
                        break
                self.assertLess(min(over), 0, over)

    def test_seconds_of_a_saved_search(self):
        """To load it and to save it again count. If there is no time for more, nothing is run, what was saved stays as
        it was, and the report says how long it takes."""
        search = ["--strategy", "best-first", "--order", "pb", "--preemptions", "none", "--out", "saved"]
        program = [built("updates.c"), "3", "500"]
        self.search(*search, "--executions", 300, *program, exit=0)
        file = next(pathlib.Path(self.dir, "saved").glob("*.search"))
        saved = file.read_bytes()
        again = self.heddle("run", *search, "--resume", "--seconds", "0.001", "--json", "-", *program, exit=0)
        self.assertEqual((again.json["executions"], again.json["verdict"]), (300, "incomplete"))
        self.assertEqual(again.json["stopped_by"], "--seconds 0.001")
        self.assertRegex(again.err, r"nothing was run: to load the search took .* s, .*--seconds \d+\n")
        self.assertEqual(file.read_bytes(), saved)
        self.assertGreater(self.search(*search, "--resume", "--seconds", 100, "--executions", 20, *program)["executions"], 310)

    def test_seconds_with_slow_executions(self):
        """An execution that takes longer than the budget does not make it wait."""
        begin = time.monotonic()
        report = self.search("--seconds", "0.5", "--hang-after", "100", built("rogue.c"), "loop", exit=0)
        self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual(report["verdict"], "incomplete")

    def test_both(self):
        program = [built("updates.c"), "3", "4"]
        report = self.search("--seconds", "100", "--executions", "50", *program, exit=0)
        self.assertEqual((report["executions"], report["stopped_by"]), (50, "--executions 50"))

    def test_random_has_a_budget_of_its_own(self):
        report = self.search("--strategy", "random", built("updates.c"), "2", "2", exit=0)
        self.assertEqual((report["executions"], report["verdict"]), (10_000, "incomplete"))

    def test_steps(self):
        """Executions that are cut make a search incomplete."""
        program = ["--strategy", "dfs", built("updates.c"), "2", "2"]
        ran = self.heddle("run", "--max-steps", "8", "--json", "-", *program, exit=0)
        self.assertEqual(ran.json["verdict"], "incomplete")
        self.assertEqual(ran.json["cut"], ran.json["executions"])
        self.assertIn("--max-steps", ran.err)


if __name__ == "__main__":
    harness.main()

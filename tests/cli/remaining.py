#!/usr/bin/env python3
"""What an incomplete search has still to run: an estimate and a range, which hold what a complete one has run."""

import os
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import built

NUMBER = "[0-9,]+"
ABOUT = rf"; about {NUMBER} \({NUMBER} to {NUMBER}\) schedules"


class Remaining(harness.CommandTest):
    def remaining(self, *words):
        return self.search(*words, exit=0)["coverage"]["remaining"]

    def test_within_the_range(self):
        """Some thousand schedules each; at a tenth of them, at a third, and later."""
        for options, program in [
            (["--preemptions", "2"], ["3", "6"]),
            (["--preemptions", "1"], ["4", "4"]),
            (["--preemptions", "none"], ["2", "4"]),
            (["--delays", "4"], ["3", "4"]),
        ]:
            for strategy in [["dfs"], ["best-first"], ["best-first", "--order", "rand"]]:
                words = ["--strategy", *strategy, *options, built("updates.c"), *program]
                whole = self.search(*words, exit=0)
                self.assertIsNone(whole["coverage"]["remaining"])
                total = whole["executions"]
                self.assertGreater(total, 1000)
                for part in [0.1, 0.3, 0.6]:
                    executions = int(total * part)
                    with self.subTest(words=words, total=total, executions=executions):
                        told = self.remaining("--executions", executions, *words)
                        truth = total - executions
                        self.assertTrue(told["low"] <= truth <= told["high"], told)
                        self.assertTrue(told["low"] <= told["estimate"] <= told["high"], told)
                        self.assertTrue(0 < told["waiting"] <= told["low"], told)
                        self.assertLess(told["high"], 50 * told["low"])
                        self.assertTrue(truth / 4 < told["estimate"] < truth * 4, told)

    def test_stages(self):
        """Of `auto` within a bound all is estimated; without one, the bound that it is at."""
        program = [built("updates.c"), "3", "6"]
        within = [
            self.search("--strategy", "dfs", "--preemptions", bound, *program, exit=0)["executions"]
            for bound in (1, 2)
        ]
        for options, whole in [(["--preemptions", "2"], True), ([], False)]:
            for executions in (within[0] // 2, within[1] * 2 // 5):
                bound = 1 if executions < within[0] else 2
                ran = self.heddle("run", "--json", "-", "--executions", executions, *options, *program, exit=0)
                report = ran.json
                *before, stage = report["strategy"]["stages"]
                self.assertTrue(all(other["remaining"] is None for other in before))
                self.assertEqual(stage["preemptions"], bound)
                left = within[bound - 1] - executions
                self.assertTrue(stage["remaining"]["low"] <= left <= stage["remaining"]["high"], stage)
                told = report["coverage"]["remaining"]
                self.assertGreater(told["waiting"], 0)
                if whole:
                    self.assertTrue(told["low"] <= within[1] - executions <= told["high"], told)
                    self.assertRegex(ran.err, ABOUT + " remain; 4 threads")
                else:
                    self.assertEqual((told["estimate"], told["low"], told["high"]), (None, None, None))
                    preemptions = "1 preemption" if bound == 1 else "2 preemptions"
                    self.assertRegex(ran.err, f"{ABOUT} with at most {preemptions} remain, and more beyond; ")

    def test_reduction(self):
        """Only what waits is known, and that much is run."""
        words = ["--reduce", "dpor", built("updates.c"), "3", "3"]
        total = self.search(*words, exit=0)["executions"]
        ran = self.heddle("run", "--json", "-", "--executions", "500", *words, exit=0)
        told = ran.json["coverage"]["remaining"]
        self.assertTrue(0 < told["waiting"] <= total - 500, told)
        self.assertIsNone(told["estimate"])
        self.assertIn(f"; at least {told['waiting']:,} schedules remain; ", ran.err)

    def test_no_end(self):
        words = ["--strategy", "random", "--executions", "100", built("updates.c"), "2", "2"]
        self.assertIsNone(self.remaining(*words))

    def test_resumed(self):
        """In one go and in pieces, by one worker and by two: the same estimate."""
        for strategy in [["--preemptions", "2"], ["--strategy", "dfs"], ["--reduce", "dpor"]]:
            words = [*strategy, built("updates.c"), "3", "5"]
            whole = self.remaining("--executions", "600", *words)
            self.search("--executions", "250", "--out", "pieces", *words, exit=0)
            again = ["--resume", "--jobs", "2", "--executions", "350", "--out", "pieces"]
            self.assertEqual(self.remaining(*again, *words), whole)


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""--resume goes on with a search as if it had never stopped: after a spent budget, after Ctrl-C, after kill -9 of the engine. What
is not that search is refused."""

import os
import random
import re
import shutil
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import PROGRAMS, built, timeless

STRATEGIES = [
    (),
    ("--preemptions", "2"),
    ("--strategy", "dfs"),
    ("--strategy", "dfs", "--delays", "4", "--depth", "20"),
    ("--strategy", "best-first", "--order", "pb", "--preemptions", "3"),
    ("--strategy", "best-first", "--order", "rand,pb", "--preemptions", "none", "--seed", "5"),
    ("--strategy", "best-first"),
    ("--strategy", "best-first", "--reduce", "dpor"),
]
KEEP_GOING = ("--keep-going",)


class Resume(harness.CommandTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(4)

    def saved(self, program):
        return self.dir / "heddle-out" / f"{program[0].name}.search"

    def whole(self, options, program, exit):
        """The report of the search in one go, and all executions."""
        out = ("--out", "whole", "--list-executions", "whole.txt")
        report = self.search(*options, *out, *program, exit=exit)
        return report, self.listed("whole.txt")

    def listed(self, name):
        return (self.dir / name).read_text().splitlines()[1:]

    def assert_same(self, report, whole):
        for failures in (report["failures"], whole["failures"]):
            for failure in failures:
                folder = os.path.dirname(failure["schedule"])
                failure["schedule"] = os.path.basename(failure["schedule"])
                failure["test_to_keep"] = (failure["test_to_keep"] or "").replace(f"{folder}/", "")
        self.assertEqual(timeless(report), timeless(whole))

    def in_pieces(self, options, program, exit):
        whole, executions = self.whole(options, program, exit)
        self.assertTrue(whole["coverage"]["complete"])
        seen = []
        resume = ()
        while True:
            total = whole["executions"]
            budget = self.random.choice([1, 7, total // 4 + 1, total // 3 + 1, total // 2 + 1])
            jobs = self.random.choice([1, 2])
            report = self.search(*options, *resume, "--executions", budget, "--jobs", jobs,
                                 "--list-executions", "piece.txt", *program)
            seen += self.listed("piece.txt")
            self.assertEqual(report["executions"], len(seen))
            if report["coverage"]["complete"]:
                break
            self.assertTrue(self.saved(program).exists())
            resume = ("--resume",)
        self.assertEqual(seen, executions)
        self.assert_same(report, whole)
        self.assertFalse(self.saved(program).exists())
        return whole

    def test_spent_budgets(self):
        program = [built("updates.c"), "3", "1"]
        for options in STRATEGIES:
            with self.subTest(options):
                self.in_pieces(options, program, exit=0)

    def test_failures_are_told_again(self):
        program = [built(PROGRAMS / "failures" / "keep_going.cc")]
        for options in STRATEGIES:
            with self.subTest(options):
                report = self.in_pieces((*KEEP_GOING, *options), program, exit=1)
                self.assertGreaterEqual(len(report["failures"]), 3)
                shutil.rmtree(self.dir / "heddle-out")

    def test_racing_places(self):
        program = [built(PROGRAMS / "races" / "lost_update.c")]
        options = ("--races", "explore", "--keep-going", "--strategy", "best-first", "--order", "pb")
        whole = self.search(*options, "--out", "whole", *program)
        budget = whole["executions"] // 2 + 1
        report = self.search(*options, "--executions", budget, *program)
        while not report["coverage"]["complete"]:
            report = self.search(*options, "--resume", "--executions", budget, *program)
        for one in (whole, report):
            one["stopped_by"] = None
        self.assert_same(report, whole)

    def test_random(self):
        program = [built("updates.c"), "2", "3", "split"]
        options = ("--strategy", "random", "--seed", "3", "--keep-going")
        whole, executions = self.whole((*options, "--executions", "2000"), program, exit=1)
        self.search(*options, "--executions", "700", "--list-executions", "one.txt", *program)
        report = self.search(*options, "--resume", "--executions", "1300", "--jobs", "2",
                             "--list-executions", "two.txt", *program)
        self.assertEqual(self.listed("one.txt") + self.listed("two.txt"), executions)
        report["stopped_by"] = whole["stopped_by"]
        self.assert_same(report, whole)

    def stopped(self, options, program, stop, env=None):
        """The report of a search that is stopped again and again, and how often it was."""
        times = 0
        resume = ()
        while True:
            (self.dir / "result.json").unlink(missing_ok=True)
            search = self.start("run", *options, *resume, "--json", "result.json", *program, env=env)
            if times < 4:
                stop(search)
            ran = search.wait()
            if ran.exit in (0, 1):
                return harness.json.loads((self.dir / "result.json").read_text()), times
            times += 1
            self.assertIn(ran.exit, (130, -signal.SIGKILL), ran)
            resume = ("--resume",)

    def test_interrupts(self):
        program = [built("updates.c"), "3", "2", "split"]
        options = ("--strategy", "best-first", "--order", "pb", "--preemptions", "4", "--keep-going")
        whole = self.search(*options, "--out", "whole", *program, exit=1)

        def stop(search):
            self.soon(lambda: search.workers() or not search.running(), "no worker")
            time.sleep(self.random.uniform(0.05, 0.4))
            harness.kill(search.pid, signal.SIGINT)

        report, times = self.stopped(options, program, stop)
        self.assertGreater(times, 0)
        self.assert_same(report, whole)

    def test_kills(self):
        for options, size in [(("--order", "pb", "--preemptions", "4"), ("3", "2")), (("--reduce", "dpor"), ("2", "6"))]:
            with self.subTest(options):
                program = [built("updates.c"), *size, "split"]
                options = ("--strategy", "best-first", *options)
                options = (*options, "--keep-going")
                whole = self.search(*options, "--out", "whole", *program, exit=1)

                def stop(search):
                    def stamp():
                        try:
                            return self.saved(program).stat().st_mtime_ns
                        except OSError:
                            return None
                    before = stamp()
                    self.soon(lambda: stamp() != before or not search.running(), "nothing is saved")
                    time.sleep(self.random.uniform(0, 0.1))
                    harness.kill(search.pid)

                report, times = self.stopped(options, program, stop, env={"HEDDLE_SAVE_SECONDS": "0.01"})
                self.assertGreater(times, 0)
                self.assert_same(report, whole)

    def refused(self, *words, says):
        ran = self.heddle("run", "--resume", *words, exit=2)
        self.assertEqual(ran.out, "", ran)
        self.assertEqual(ran.err.count("\n"), 1, ran)
        self.assertIn(says, ran.err)
        self.assertIn("--resume", ran.err)

    def test_what_is_refused(self):
        source = self.dir / "work.c"
        shutil.copy(harness.HERE / "updates.c", source)
        program = built(source)
        self.refused(program, says="there is no saved search heddle-out/work.search")
        self.search("--executions", "5", program, exit=0)
        path = self.saved([program])
        good = path.read_bytes()
        self.refused("--preemptions", "1", program, says="has --preemptions none, this one --preemptions 1")
        self.refused("--strategy", "dfs", program, says="has --strategy auto, this one --strategy dfs")
        self.refused("--seed", "2", program, says="has --seed 1, this one --seed 2")
        self.refused("--keep-going", program, says="has --keep-going false")
        self.refused("--accesses", "all", program, says="has --accesses sync")
        self.refused(program, "3", says="has arguments")
        for bad, says in [
            (b"", "is no saved search"),
            (b"something else, long enough to be a head\n" * 3, "is no saved search"),
            (re.sub(rb"search \d+", b"search 0", good, count=1), "another version"),
            (good[:-1], "is damaged"),
            (good[: len(good) // 2], "is damaged"),
            (good + b"x", "is damaged"),
            (good[:90] + bytes([good[90] ^ 1]) + good[91:], "is damaged"),
        ]:
            with self.subTest(says=says, size=len(bad)):
                path.write_bytes(bad)
                self.refused(program, says=says)
        path.write_bytes(good)
        source.write_text(source.read_text() + "\nint another;\n")
        harness.subprocess.run([harness.BIN / "heddle-cc", "-O1", "-g", source, "-o", program], check=True)
        self.refused(program, says="is not what it was when the search")
        path.unlink()
        path.mkdir()
        self.refused(program, says="")

    def test_a_search_that_cannot_be_saved_goes_on(self):
        (self.dir / "file").touch()
        report = self.search("--executions", "5", "--out", "file/x", built("updates.c"), exit=0)
        self.assertEqual(report["executions"], 5)
        self.assertIn("the search was not saved: ", report["notes"][0])

    def test_a_failure_is_an_end(self):
        program = [built("updates.c"), "2", "3", "split"]
        options = ("--strategy", "dfs")
        first = self.search(*options, "--out", "whole", *program, exit=1)["executions"]
        self.search(*options, "--executions", first - 1, *program, exit=0)
        report = self.search(*options, "--resume", *program, exit=1)
        self.assertEqual(report["executions"], first)
        self.assertFalse(self.saved(program).exists())


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""Ctrl-C ends a search in good order; so does SIGTERM; and nothing survives the engine, however it ends."""

import json
import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import PROGRAMS, built, descendants, is_alive, ticks

# A search that would take years.
ENDLESS = ["--strategy", "dfs", "--preemptions", "none"]


class Interrupt(harness.CommandTest):
    def begin(self, *options, program=None, verb="run", **how):
        program = program or [built("updates.c"), "4", "8"]
        words = [*ENDLESS, *options] if verb == "run" else options
        search = self.start(verb, *words, *program, **how)
        self.soon(lambda: search.workers() or not search.running(), "no worker")
        # In the middle of it: workers have used processor time.
        self.soon(lambda: self.has_worked(search), "the worker does nothing")
        self.assertTrue(search.running(), search.wait() if not search.running() else "")
        search.everybody = descendants(search.pid)
        return search

    def has_worked(self, search):
        return not search.running() or any(ticks(pid) >= 3 for pid in search.workers())

    def nobody_left(self, search):
        self.assertGreaterEqual(len(search.everybody), 2)
        for pid in search.everybody:
            self.soon(lambda: not is_alive(pid), f"process {pid} is left behind")

    def test_interrupt(self):
        others = [signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU]
        for number in [signal.SIGINT, signal.SIGTERM, *others]:
            for options in [[], ["--jobs", "3"], ["--strategy", "random", "--executions", "1000000000"]][
                : 1 if number in others else 3
            ]:
                with self.subTest(signal=number, options=options):
                    search = self.begin(*options, "--json", "result.json")
                    os.kill(search.pid, number)
                    ran = search.wait()
                    self.assertEqual(ran.exit, 130, ran)
                    self.assertRegex(ran.out, r"(?m)^incomplete: interrupted after [0-9,]+ executions?: no failure")
                    self.assertEqual(ran.err, "")
                    report = json.loads((self.dir / "result.json").read_text())
                    self.assertEqual(report["verdict"], "incomplete")
                    self.assertTrue(report["interrupted"])
                    self.assertFalse(report["coverage"]["complete"])
                    self.assertEqual(report["exit_code"], 130)
                    self.assertGreater(report["executions"], 0)
                    self.nobody_left(search)

    def test_ignored_and_harmless_signals(self):
        """Under nohup SIGHUP means nothing; a pipe that nobody reads, and a file that is too large, never do. The program
        finds its signals as they were."""
        search = self.begin(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        for number in [signal.SIGHUP, signal.SIGPIPE, signal.SIGXFSZ]:
            os.kill(search.pid, number)
        worker = search.workers()[0]
        ignored = next(
            int(line.split()[1], 16)
            for line in pathlib.Path(f"/proc/{worker}/status").read_text().splitlines()
            if line.startswith("SigIgn")
        )
        self.assertTrue(ignored >> (signal.SIGHUP - 1) & 1)
        # Python ignores both for itself and gives them back to who it starts.
        for number in [signal.SIGPIPE, signal.SIGXFSZ]:
            self.assertFalse(ignored >> (number - 1) & 1, number)
        self.assertTrue(search.running())
        os.kill(search.pid, signal.SIGINT)
        self.assertEqual(search.wait().exit, 130)

    def test_json_on_standard_output(self):
        search = self.begin("--json", "-")
        os.kill(search.pid, signal.SIGINT)
        ran = search.wait()
        self.assertEqual((ran.exit, ran.json["verdict"]), (130, "incomplete"))
        self.assertIn("interrupted", ran.err)

    def test_what_was_found_is_kept(self):
        """With --keep-going: the failures so far are reported, and their schedules lead to them."""
        program = [built("updates.c"), "4", "4", "split"]
        search = self.start("run", *ENDLESS, "--keep-going", "--json", "result.json", *program)
        schedule = self.dir / "heddle-out" / "updates-1.heddle"
        self.soon(schedule.exists, "no failure")
        search.everybody = descendants(search.pid)
        os.kill(search.pid, signal.SIGINT)
        ran = search.wait()
        report = json.loads((self.dir / "result.json").read_text())
        self.assertEqual(ran.exit, 130, ran)
        self.assertEqual((report["verdict"], report["interrupted"]), ("failed", True))
        self.assertIn("then interrupted", ran.out)
        self.heddle("replay", schedule, exit=1)
        self.nobody_left(search)

    def test_during_the_closer_look(self):
        """A failure is run again for its details; when that is cut short, it is told without them."""
        search = self.start("run", "--json", "-", built("rogue.c"), "slow-and-fail")
        self.soon(lambda: len(search.workers()) == 2, "no second worker")
        os.kill(search.pid, signal.SIGINT)
        ran = search.wait()
        self.assertEqual((ran.exit, ran.json["verdict"]), (130, "failed"), ran)
        (failure,) = ran.json["failures"]
        self.assertEqual(failure["kind"], "exit")
        self.heddle("replay", failure["schedule"], exit=1)

    def test_twice(self):
        """The second one does not wait for anything. Both may come before the first is dealt with."""
        search = self.begin("--jobs", "2")
        os.kill(search.pid, signal.SIGINT)
        os.kill(search.pid, signal.SIGINT)
        ran = search.wait()
        self.assertIn(ran.exit, (130, -signal.SIGINT), ran)
        self.nobody_left(search)

    def test_during_a_hang(self):
        """The worker is in an endless loop, and deaf on top of it."""
        for what in ["loop", "deaf-loop"]:
            program = [built("rogue.c"), what]
            search = self.begin("--hang-after", "1000", program=program)
            os.kill(search.pid, signal.SIGINT)
            ran = search.wait()
            self.assertEqual(ran.exit, 130, ran)
            self.nobody_left(search)

    def test_replay(self):
        program = [built("updates.c"), "2", "300", "split"]
        self.heddle("run", *program, exit=1)
        replay = ["--times", "1000000000", "heddle-out/updates-1.heddle"]
        search = self.begin(verb="replay", program=replay)
        os.kill(search.pid, signal.SIGINT)
        ran = search.wait()
        self.assertEqual(ran.exit, 130, ran)
        self.nobody_left(search)

    def test_from_the_terminal(self):
        """A terminal sends it to the whole foreground group; the workers are not in it."""
        search = self.begin("--jobs", "2", start_new_session=True)
        os.killpg(search.pid, signal.SIGINT)
        ran = search.wait()
        self.assertEqual(ran.exit, 130, ran)
        self.assertIn("interrupted after", ran.out)
        self.nobody_left(search)

    def test_engine_killed(self):
        for options in [[], ["--jobs", "3"]]:
            search = self.begin(*options)
            os.kill(search.pid, signal.SIGKILL)
            self.assertEqual(search.wait().exit, -signal.SIGKILL)
            self.nobody_left(search)

    def test_engine_killed_during_a_hang(self):
        search = self.begin("--hang-after", "1000", program=[built("rogue.c"), "deaf-loop"])
        os.kill(search.pid, signal.SIGKILL)
        search.wait()
        self.nobody_left(search)

    def test_check_killed(self):
        """heddle::check in a test process that is killed."""
        program = built("endless_check.cc")
        search = harness.Search([str(program)], self.dir, self.environment)
        self.addCleanup(search.end)
        self.soon(search.workers, "no worker")
        search.everybody = descendants(search.pid)
        os.kill(search.pid, signal.SIGKILL)
        search.wait()
        self.nobody_left(search)

    def test_stopped_and_continued(self):
        """Ctrl-Z: the engine stands still; when it goes on nothing is amiss, and nothing is a hang."""
        search = self.begin("--hang-after", "1", "--executions", "200000")
        os.kill(search.pid, signal.SIGSTOP)
        self.soon(lambda: harness.state_of(search.pid) == "T", "not stopped")
        try:
            search.process.wait(2.5)
        except subprocess.TimeoutExpired:
            pass
        os.kill(search.pid, signal.SIGCONT)
        ran = search.wait()
        self.assertEqual(ran.exit, 0, ran)
        self.assertIn("200,000 executions", ran.out)

    def test_reader_gone(self):
        """heddle run | head -0: no complaint, no process left."""
        command = self.command("run", "--executions", "2000", "--show-output", built("updates.c"), "3", "3")
        read, write = os.pipe()
        search = harness.Search(command, self.dir, self.environment, stdout=write)
        self.addCleanup(search.end)
        os.close(write)
        os.close(read)
        ran = search.wait()
        self.assertNotIn("Heddle's own", ran.err)


if __name__ == "__main__":
    harness.main()

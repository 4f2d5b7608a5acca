#!/usr/bin/env python3
"""Worker processes that are killed from outside: the search comes to the same end as one left in peace."""

import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import PROGRAMS, built, kill, timeless

EXECUTIONS = 400_000


def told(report):
    """Without what may differ: how long the rest would take is advice."""
    return {**timeless(report), "advice": None}


def has_run(pid):
    """Has used processor time: a process that is killed at once, again and again, would get nowhere."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return False
    return int(fields[11]) + int(fields[12]) > 0


class KillWorkers(harness.CommandTest):
    def disturbed(self, victims, command, at_least, number=signal.SIGKILL):
        """The JSON of a search whose processes, those that victims() names, are killed all the time."""
        search = self.start("run", "--json", "-", *command)
        killed = 0
        while search.running():
            for pid in victims(search):
                if has_run(pid) and kill(pid, number):
                    killed += 1
            time.sleep(0.01)
        ran = search.wait()
        self.assertGreaterEqual(killed, at_least, ran)
        return ran

    def same_as_in_peace(self, victims, *options, at_least=5, number=signal.SIGKILL):
        command = ["--executions", EXECUTIONS, *options, built("updates.c"), "3", "6"]
        peaceful = self.search(*command, exit=0)
        ran = self.disturbed(victims, command, at_least, number)
        self.assertEqual(ran.exit, 0, ran)
        self.assertEqual(told(ran.json), told(peaceful))

    def test_workers(self):
        workers = harness.Search.workers
        self.same_as_in_peace(workers, "--strategy", "dfs")
        self.same_as_in_peace(workers, "--strategy", "random")
        self.same_as_in_peace(workers, "--strategy", "dfs", "--jobs", "3")

    def test_other_signals(self):
        for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]:
            with self.subTest(number):
                self.same_as_in_peace(harness.Search.workers, "--strategy", "dfs", number=number)

    def test_nurseries(self):
        nurseries = harness.Search.nurseries
        # A nursery itself does next to nothing; its worker tells whether it has come to work.
        at_work = lambda search: [
            pid for pid in nurseries(search) if any(has_run(child) for child in harness.children(pid))
        ]
        for jobs in ["1", "2"]:
            options = ["--strategy", "dfs", "--executions", EXECUTIONS, "--jobs", jobs]
            command = [*options, built("updates.c"), "3", "6"]
            peaceful = self.search(*command, exit=0)
            search = self.start("run", "--json", "-", *command)
            killed = 0
            while search.running():
                killed += sum(kill(pid) for pid in at_work(search))
                time.sleep(0.03)
            ran = search.wait()
            self.assertGreater(killed, 2, ran)
            self.assertEqual(told(ran.json), told(peaceful), ran)

    def test_with_failures(self):
        """No finding is lost, and none is made up."""
        program = built(PROGRAMS / "failures" / "keep_going.cc")
        command = ["--keep-going", "--strategy", "random", "--executions", 40_000, program]
        peaceful = self.search(*command, exit=1)
        ran = self.disturbed(harness.Search.workers, command, at_least=2)
        self.assertEqual(ran.exit, 1, ran)
        self.assertEqual(told(ran.json), told(peaceful))

    def test_stopped_worker(self):
        """A worker that somebody stops makes no step, and does not answer. In the middle of an execution that is a
        hang, which a second look does not find again; between two executions it is made good."""
        options = ["--hang-after", "0.5", "--strategy", "dfs", "--executions", EXECUTIONS]
        search = self.start("run", "--json", "-", *options, built("updates.c"), "3", "6")
        self.soon(lambda: any(has_run(pid) for pid in search.workers()), "no worker")
        os.kill(search.workers()[0], signal.SIGSTOP)
        ran = search.wait()
        if ran.exit == 0:
            self.assertEqual(ran.json["executions"], EXECUTIONS)
        else:
            self.assertEqual(ran.exit, 3, ran)
            self.assertIn("hang", ran.json["notes"][0])
            self.assertEqual(ran.json["verdict"], "incomplete")


if __name__ == "__main__":
    harness.main()

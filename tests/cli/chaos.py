#!/usr/bin/env python3
"""kill -9 at random moments, of engine, nursery and worker: the search, resumed where its engine was killed, ends with the
counts of one that was left in peace.

chaos.py --kills N --seed S makes at least N kills, and prints how many of whom."""

import argparse
import collections
import json
import os
import random
import sys
import time

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import PROGRAMS, built, kill, ticks, timeless

# Each with the exit code of the search that is left in peace.
SEARCHES = [
    (["--strategy", "dfs", "--executions", "60000"], ["updates.c", "3", "6"], 0),
    (["--strategy", "dfs", "--jobs", "2", "--executions", "60000"], ["updates.c", "3", "6"], 0),
    (["--strategy", "dfs", "--reduce", "dpor", "--keep-going"], ["updates.c", "2", "6", "split"], 1),
    (["--strategy", "best-first", "--order", "pb", "--preemptions", "4", "--keep-going"],
     ["updates.c", "3", "2", "split"], 1),
    (["--strategy", "random", "--executions", "20000", "--keep-going"], [PROGRAMS / "failures" / "keep_going.cc"], 1),
]


class Chaos(harness.CommandTest):
    kills = 12
    seed = 1

    def victim(self, search, numbers):
        """Somebody who has come to work: whoever is killed at once, again and again, gets nowhere."""
        whom = numbers.choice(["engine", "nursery", "worker", "worker"])
        workers = [pid for pid in search.workers() if ticks(pid) > 0]
        if not workers:
            return whom, None
        if whom == "engine":
            saved = (self.dir / "heddle-out" / f"{self.name}.search").exists()
            return whom, search.pid if saved else None
        return whom, numbers.choice(workers if whom == "worker" else search.nurseries() or [None])

    def disturbed(self, options, program, numbers, done):
        self.name = program[0].name
        # That of a round before, out of budget: an engine that is killed before it has saved anything leaves it in place.
        saved = self.dir / "heddle-out" / f"{self.name}.search"
        saved.unlink(missing_ok=True)
        resume = []
        while True:
            (self.dir / "result.json").unlink(missing_ok=True)
            env = {"HEDDLE_SAVE_SECONDS": "0.02"}
            search = self.start("run", *options, *resume, "--json", "result.json", *program, env=env)
            left = numbers.randrange(1, 6)
            while search.running():
                time.sleep(numbers.uniform(0, 0.05))
                whom, pid = self.victim(search, numbers)
                if pid is None or left == 0 or not kill(pid):
                    continue
                done[whom] += 1
                left -= 1
                if whom == "engine":
                    break
            ran = search.wait()
            if ran.exit == -9:
                resume = ["--resume"]
            elif ran.exit == 2 and resume and not saved.exists():
                # It was killed between the end of its search and its report: there is nothing to go on with.
                self.assertIn("--resume", ran.err, ran)
                resume = []
            else:
                text = (self.dir / "result.json").read_text()
                self.assertNotEqual(text, "", ran)
                return ran, json.loads(text)

    def test_kills(self):
        numbers = random.Random(self.seed)
        done = collections.Counter()
        rounds = 0
        while sum(done.values()) < self.kills:
            options, words, exit = SEARCHES[rounds % len(SEARCHES)]
            rounds += 1
            # A search with a budget in executions counts them anew when it is resumed: engines are killed without one.
            program = [built(words[0]), *words[1:]]
            peaceful = self.search(*options, "--out", "peace", *program, exit=exit)
            ran, report = self.round_of(options, program, numbers, done)
            self.assertEqual(ran.exit, exit, ran)
            self.assertEqual(self.comparable(report), self.comparable(peaceful))
        print(f"{sum(done.values())} kills in {rounds} searches: {dict(done)}")

    def round_of(self, options, program, numbers, done):
        if "--executions" not in options:
            return self.disturbed(options, program, numbers, done)
        self.name = program[0].name
        search = self.start("run", *options, "--json", "result.json", *program)
        while search.running():
            time.sleep(numbers.uniform(0, 0.05))
            whom, pid = self.victim(search, numbers)
            if whom != "engine" and pid is not None and kill(pid):
                done[whom] += 1
        return search.wait(), json.loads((self.dir / "result.json").read_text())

    def comparable(self, report):
        report = timeless(report)
        del report["advice"]  # that depends on how long it took
        for failure in report["failures"]:
            for field in ("schedule", "test_to_keep"):
                failure[field] = (failure[field] or "").replace("peace/", "heddle-out/")
        return report


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--kills", type=int, default=Chaos.kills)
    arguments.add_argument("--seed", type=int, default=Chaos.seed)
    options, rest = arguments.parse_known_args()
    Chaos.kills, Chaos.seed = options.kills, options.seed
    sys.argv[1:] = rest
    harness.main()

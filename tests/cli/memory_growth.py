#!/usr/bin/env python3
"""Millions of executions in one run: neither engine nor worker grows.

MEMORY_GROWTH_EXECUTIONS says how many; 10000000 takes a minute or less on an idle machine of two cores.
"""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import built, memory_kb

EXECUTIONS = int(os.environ.get("MEMORY_GROWTH_EXECUTIONS", "3000000"))

# What may come late in a run without being growth: a page here and there, and code that runs for the first time. The
# latter is not anonymous: what saves a search, with the library that compresses it, comes after ten seconds.
SLACK_KB = 1024  # a search that is saved on the way, on a slow machine, keeps some of the room that this took
SLACK_CODE_KB = 2048


class Growth(harness.CommandTest):
    def watch(self, *options):
        """Memory of engine and worker over the run: (anonymous, all that is resident) in KB for each."""
        search = self.start("run", "--executions", EXECUTIONS, "--json", "-", *options)
        samples = []
        while search.running():
            sample = [memory_kb(pid) for pid in [search.pid, *search.workers()[:1]]]
            if len(sample) == 2 and None not in sample:
                samples.append(sample)
            time.sleep(0.05)
        ran = search.wait()
        self.assertEqual(ran.exit, 0, ran)
        self.assertEqual(ran.json["executions"], EXECUTIONS)
        self.assertGreater(len(samples), 10)
        return samples, ran.json

    def no_growth(self, *options):
        samples, report = self.watch(*options)
        tenth = len(samples) // 10
        # The very last ones may be of a second worker, which runs the first schedule once more. The search is saved
        # now and then, and has the room that this takes only meanwhile: the least of some samples counts.
        early = samples[tenth + 1]
        late = [tuple(map(min, zip(*process))) for process in zip(*samples[-3 - tenth : -2])]
        print(f"{options[1]}: {report['executions']} executions in {report['seconds']:.1f} s; engine and worker, "
              f"KB anonymous and resident: after a tenth {early}, at the end {late}")
        for before, after in zip(early, late):
            for was, grown, slack in zip(before, after, (SLACK_KB, SLACK_CODE_KB)):
                self.assertLess(grown, was + slack, samples[:: max(1, tenth)])

    def test_depth_first(self):
        """Threads that have nothing to do with each other: all executions are equivalent."""
        self.no_growth("--strategy", "dfs", built("updates.c"), "3", "6", "own")

    def test_random(self):
        self.no_growth("--strategy", "random", built("updates.c"), "2", "2")


if __name__ == "__main__":
    harness.main()

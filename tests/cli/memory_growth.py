#!/usr/bin/env python3
"""Millions of executions in one run: neither engine nor worker grows.

MEMORY_GROWTH_EXECUTIONS says how many; 10000000 takes a minute or less on an idle machine of two cores.
"""

import itertools
import os
import sys
import time

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import built, memory_kb

EXECUTIONS = int(os.environ.get("MEMORY_GROWTH_EXECUTIONS", "3000000"))

# What may come late in a run without being growth: a page here and there, and code that runs for the first time, which
# is not anonymous. What a search keeps of the room in which it was saved is measured: see growth().
SLACK_KB = 1024
SLACK_CODE_KB = 2048


def growth(samples):
    """By how much each number grows from one time that the search is saved to the next, in all. What it grows by over
    a save is not counted: room that was needed once, and is used again by the next save. In the middle of one there is
    more for a while, so the least of some samples counts."""
    total = [[0, 0], [0, 0]]
    for _, group in itertools.groupby(samples, key=lambda sample: sample[0]):
        between = [sample for _, sample in group]
        some = len(between) // 10 + 1
        early, late = least(between[:some]), least(between[-some:])
        for sums, before, after in zip(total, early, late):
            for i in range(2):
                sums[i] += after[i] - before[i]
    return total


def least(samples):
    return [tuple(map(min, zip(*process))) for process in zip(*samples)]


class Growth(harness.CommandTest):
    def watch(self, *options):
        """Memory of engine and worker over the run: (anonymous, all that is resident) in KB for each."""
        search = self.start("run", "--executions", EXECUTIONS, "--json", "-", *options)
        samples = []
        while search.running():
            sample = [memory_kb(pid) for pid in [search.pid, *search.workers()[:1]]]
            if len(sample) == 2 and None not in sample:
                samples.append((self.last_saved(), sample))
            time.sleep(0.05)
        ran = search.wait()
        self.assertEqual(ran.exit, 0, ran)
        self.assertEqual(ran.json["executions"], EXECUTIONS)
        self.assertGreater(len(samples), 10)
        # The very last ones may be of a second worker, which runs the first schedule once more.
        return samples[len(samples) // 10 + 1 : -2], ran.json

    def last_saved(self):
        """When the search was: every ten seconds, so the more often the slower the machine is."""
        return max((file.stat().st_mtime_ns for file in self.dir.glob("heddle-out/*")), default=0)

    def no_growth(self, *options):
        samples, report = self.watch(*options)
        grown = growth(samples)
        print(f"{options[1]}: {report['executions']} executions in {report['seconds']:.1f} s; engine and worker, "
              f"KB anonymous and resident: {samples[0][1]} after a tenth, since then {grown}")
        for process in grown:
            for kb, slack in zip(process, (SLACK_KB, SLACK_CODE_KB)):
                self.assertLess(kb, slack, samples[:: max(1, len(samples) // 10)])

    def test_depth_first(self):
        """Threads that have nothing to do with each other: all executions are equivalent."""
        self.no_growth("--strategy", "dfs", built("updates.c"), "3", "6", "own")

    def test_random(self):
        self.no_growth("--strategy", "random", built("updates.c"), "2", "2")


if __name__ == "__main__":
    harness.main()

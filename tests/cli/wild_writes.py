#!/usr/bin/env python3
"""Wild writes over every part of the memory that Heddle shares with the program: the engine survives each, and none
makes a test pass that fails.

wild_writes.py --count N --seed S prints how the searches ended."""

import argparse
import collections
import json
import os
import random
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import SOURCE, built

# Each with how far it goes; of most of them only the beginning is in use.
PARTS = {
    "head": 256,
    "places": 4096,
    "state": 8192,
    "modules": 2048,
    "found": 40_000,
    "rings": 640,
    "current": 1200,
    "jobs": 2048,
    "results": 16_384,
    "trace": 1024,
    "options": 256,
    "states": 256,
    "notes": 256,
    "decisions": 256,
    "detail": 400_000,
    "points": 64,
}
STRATEGIES = [
    [],
    ["--strategy", "dfs"],
    ["--strategy", "dfs", "--reduce", "dpor"],
    ["--strategy", "dfs", "--reduce", "dpor", "--jobs", "2"],
    ["--strategy", "dfs", "--races", "explore"],
    ["--strategy", "best-first", "--order", "dpor,pb"],
    ["--strategy", "dfs", "--keep-going"],
]
VALUES = [0, 1, 2, 7, 0x41, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 0x4141414141414141, (1 << 64) - 1]


def drawn(numbers):
    part = numbers.choice(list(PARTS))
    size = numbers.choice([1, 1, 2, 4, 8, 8, 48, 300])
    value = numbers.choice([*VALUES, numbers.getrandbits(64), numbers.getrandbits(16)])
    offset = numbers.randrange(PARTS[part])
    if numbers.random() < 0.7:
        offset -= offset % min(size, 8)
    return numbers.choice(STRATEGIES), [part, offset, size, hex(value)]


class WildWrites(harness.CommandTest):
    count = 40
    seed = 1

    def test_parts(self):
        numbers = random.Random(self.seed)
        program = built("wild.cc", "-I", str(SOURCE / "src"), "-w")
        ends = collections.Counter()
        for _ in range(self.count):
            strategy, words = drawn(numbers)
            ran = self.heddle("run", "--hang-after", "2", "--json", "-", *strategy, program, *words, timeout=120)
            with self.subTest(strategy=strategy, words=words):
                # A signal that ends the engine has a negative number.
                self.assertIn(ran.exit, (1, 2, 3, 4), ran)
                report = json.loads(ran.out) if ran.out else {"verdict": "none", "failures": []}
                self.assertNotEqual(report["verdict"], "passed", ran)
                kinds = [failure["kind"] for failure in report["failures"]]
                if ran.exit != 1:
                    print(ran)
                ends[f"{ran.exit} {report['verdict']} {' '.join(sorted(set(kinds)))}"] += 1
        for end, times in sorted(ends.items()):
            print(f"{times:6} exit {end}")

    def test_memory_that_only_samplers_use(self):
        """It is written over where nobody who looks closer would notice: the failure is told nevertheless."""
        program = built("wild.cc", "-I", str(SOURCE / "src"), "-w")
        report = self.search("--hang-after", "2", program, "notes", "3", "1", "0xffffffff", exit=1)
        self.assertEqual([failure["kind"] for failure in report["failures"]], ["crash"])
        self.assertIn("wild pointer", report["failures"][0]["message"])


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--count", type=int, default=WildWrites.count)
    arguments.add_argument("--seed", type=int, default=WildWrites.seed)
    options, rest = arguments.parse_known_args()
    WildWrites.count, WildWrites.seed = options.count, options.seed
    sys.argv[1:] = rest
    harness.main()

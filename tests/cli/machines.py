#!/usr/bin/env python3
"""heddle run --on and heddle worker: a search over many machines says what one machine says, whatever dies meanwhile.

All machines are this one; nothing but the loopback is ever contacted. By hand, with more faults or generated programs:
tests/cli/machines.py --seed 7 --faults 100 --count 50 (HEDDLE_BIN_DIR and HEDDLE_SOURCE_DIR as for
tests/cli/oracle_random.py).
"""

import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "oracle"))
import compare
import fair_generate
import generate
import harness
import redis_server
import render
from harness import built
from redis_server import RedisServer

SAME = ("verdict", "executions", "failing_executions", "steps", "pruned", "cut", "distinct", "threads", "max_steps")
SEED, COUNT = 41, 6


def told(report):
    """What must be the same; failures by what they are, for another execution may have shown them first."""
    failures = sorted({(f["kind"], f["location"]) for f in report["failures"]})
    coverage = {name: report["coverage"][name] for name in ("complete", "preemptions", "states", "set_back")}
    return {name: report[name] for name in SAME} | coverage | {"failures": failures}


class Machines(harness.CommandTest):
    """One Redis for all tests of a class, as users have; searches do not get in each other's way."""

    @classmethod
    def setUpClass(cls):
        cls.redis = RedisServer()
        cls.addClassCleanup(cls.redis.stop)

    def setUp(self):
        super().setUp()
        self.environment |= redis_server.environment()

    def workers(self, count, *words, url=None):
        return [self.start("worker", "--on", url or self.redis.url, "--quiet", *words) for _ in range(count)]

    def on(self, *words, exit=None, **how):
        return self.heddle("run", "--on", self.redis.url, "--json", "-", "--out", "shared", *words, exit=exit, **how)

    def left_behind(self):
        return self.redis.command("KEYS", "heddle:*")

    def compare(self, *words):
        whole = self.heddle("run", "--json", "-", "--out", "whole", *words)
        shared = self.on(*words, exit=whole.exit)
        self.assertEqual(told(shared.json), told(whole.json), f"{words}")
        self.assertEqual(self.left_behind(), b"*0\r\n")
        return shared.json


class Same(Machines):
    def check(self, programs, every, bounds):
        binary = compare.built_once(render.render(programs), "g++")
        for number in range(len(programs)):
            self.compare("--strategy", "dfs", "--keep-going", "--explain", "off", "--races", "ignore", "--fair",
                         "off" if every is None else str(every), "--preemptions", bounds[number % len(bounds)],
                         binary, str(number))  # fmt: skip

    def test_generated_programs(self):
        self.workers(3)
        self.check(generate.programs(SEED, COUNT), None, ("none", "2"))
        self.check(fair_generate.programs(SEED, COUNT // 2, True), 1, ("none", "1"))

    def test_bounds(self):
        program = built("states.cc")
        self.workers(1, "--jobs", "2")
        for words in (("--strategy", "dfs"), ("--strategy", "best-first", "--delays", "2"),
                      ("--strategy", "dfs", "--depth", "9"), ("--strategy", "best-first")):  # fmt: skip
            shared = self.compare(*words, program, "aaaa", "aaaa")
            self.assertGreater(shared["coverage"]["states"], 1)
        self.assertEqual(shared["machines"]["machines"], 1)
        self.assertGreater(shared["machines"]["tasks"], 10)

    def test_auto(self):
        """All schedules are gone through: what is found is the same, in more executions."""
        self.workers(3)
        program = built("states.cc")
        shared = self.compare("--preemptions", "2", program, "aaaa", "aaaa")
        whole = self.search("--preemptions", "2", program, "aaaa", "aaaa")

        def stages(report):
            return [{**stage, "seconds": 0} for stage in report["strategy"]["stages"]]

        self.assertEqual(stages(shared), stages(whole))
        words = ("--keep-going", program, "LaaU", "aaa")
        whole = told(self.search(*words))
        shared = told(self.on(*words).json)
        for name in ("verdict", "distinct", "complete", "states", "failures"):
            self.assertEqual(shared[name], whole[name], name)

    def test_small(self):
        """What is covered before there is anything to deal out needs no worker."""
        self.compare("--strategy", "dfs", built("states.cc"), "a")


def main():
    global SEED, COUNT
    parser = argparse.ArgumentParser(description="Compares searches over machines with those of one.")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT, help="generated programs")
    options, sys.argv[1:] = parser.parse_known_args()
    SEED, COUNT = options.seed, options.count
    harness.main()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""heddle run --on and heddle worker: a search over many machines says what one machine says, whatever dies meanwhile.

All machines are this one; nothing but the loopback is ever contacted. By hand, with more faults or generated programs:
tests/cli/machines.py --seed 7 --faults 100 --bound 8 --count 50 (HEDDLE_BIN_DIR and HEDDLE_SOURCE_DIR as for
tests/cli/oracle_random.py).
"""

import argparse
import os
import random
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "oracle"))
import compare
import fair_generate
import generate
import harness
import redis_server
import render
import slow_proxy
from harness import built
from redis_server import RedisServer

SAME = ("verdict", "executions", "failing_executions", "steps", "pruned", "cut", "distinct", "threads", "max_steps")
SEED, COUNT, FAULTS, BOUND = 41, 6, 6, "4"


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


class Faults(Machines):
    """Whatever dies, stalls or is started again: what is counted is what a search that nobody disturbs counts."""

    SIZE = ("aaaaaaaa", "aaaaaaaa")

    def setUp(self):
        super().setUp()
        self.environment |= {"HEDDLE_REDIS_HASTE": "10"}
        self.proxy = slow_proxy.Proxy(self.redis.port)
        self.addCleanup(self.proxy.stop)
        self.chance = random.Random(SEED)
        self.program = built("states.cc")
        self.words = ("--strategy", "dfs", "--preemptions", BOUND, "--lost-after", "1", self.program, *self.SIZE)
        self.stopped = []

    def begin(self):
        self.coordinator = self.start("run", "--on", self.proxy.url, "--json", "-", "--out", "shared", *self.words)

    def is_under_way(self):
        """Tasks are there: what is disturbed from now on is the search."""
        return b"\r\nrunning\r\n" in self.redis.command("EVAL", STANDING, 0)

    def new_worker(self, place):
        url = self.redis.url if place == 0 else self.proxy.url
        self.team[place] = self.workers(1, url=url)[0]

    def kill_worker(self):
        place = self.chance.randrange(len(self.team))
        harness.kill(self.team[place].pid)
        self.team[place].process.wait()
        self.new_worker(place)

    def kill_process(self):
        processes = [process for one in self.team for process in one.workers()]
        if processes:
            harness.kill(self.chance.choice(processes))

    def kill_coordinator(self):
        harness.kill(self.coordinator.pid)
        self.coordinator.process.wait()
        self.begin()

    def kill_redis(self):
        self.redis.kill()
        self.assertTrue(self.redis.start())

    def stall(self):
        self.proxy.stall()
        time.sleep(1.5)
        self.proxy.go_on()

    def two_owners(self):
        """A worker that stands still until its task is somebody else's, and then goes on with it."""
        one = self.chance.choice(self.team)
        os.kill(one.pid, signal.SIGSTOP)
        time.sleep(2.2)
        os.kill(one.pid, signal.SIGCONT)

    def test_faults(self):
        whole = self.search(*self.words, exit=0)
        kinds = [self.kill_worker, self.kill_process, self.kill_coordinator, self.kill_redis, self.stall, self.two_owners]
        self.team = [None] * 3
        for place in range(len(self.team)):
            self.new_worker(place)
        happened = []
        searches = 1
        self.begin()
        while self.coordinator.running() or len(happened) < FAULTS:
            if not self.coordinator.running():
                self.check_end(whole, happened)
                searches += 1
                self.begin()
            time.sleep(self.chance.uniform(0.05, 0.4))
            if len(happened) < FAULTS and self.is_under_way():
                fault = kinds[len(happened)] if len(happened) < len(kinds) else self.chance.choice(kinds)
                happened.append(fault.__name__)
                fault()
        self.check_end(whole, happened)
        self.assertEqual(len(happened), FAULTS)
        print(f"{FAULTS} faults in {searches} searches, {whole['executions']} executions each", file=sys.stderr)

    def check_end(self, whole, happened):
        ran = self.coordinator.wait()
        self.assertEqual(ran.exit, 0, f"{happened} {ran}")
        self.assertEqual(told(ran.json), told(whole), happened)


# Whether a search is there whose tasks are being run.
STANDING = """
for _, id in ipairs(redis.call('SMEMBERS', 'heddle:searches')) do
  local round = redis.call('HGET', 'heddle:{' .. id .. '}:info', 'round')
  if round and tonumber(round) > 0 then return 'running' end
end
return 'nothing'
"""


def main():
    global SEED, COUNT, FAULTS, BOUND
    parser = argparse.ArgumentParser(description="Compares searches over machines with those of one.")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT, help="generated programs")
    parser.add_argument("--faults", type=int, default=FAULTS, help="in searches that are disturbed")
    parser.add_argument("--bound", default=BOUND, help="on preemptions of these: with 8, one is enough for 100 faults")
    options, sys.argv[1:] = parser.parse_known_args()
    SEED, COUNT, FAULTS, BOUND = options.seed, options.count, options.faults, options.bound
    harness.main()


if __name__ == "__main__":
    main()

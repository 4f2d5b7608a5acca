#!/usr/bin/env python3
"""A search over many machines: two workers against one, over a Redis of its own; what goes over the wire for an execution,
and how much of a core Redis and the coordinator need; and, with what was measured, a simulation of up to 1,000 workers.

Called by `./dev bench machines [--seconds S] [--rounds N]`, which sets HEDDLE_BIN_DIR. All of it is on this machine.
"""

import argparse
import contextlib
import heapq
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
sys.path.insert(0, str(HERE.parent / "tests" / "command"))
import redis_server

TICK = 1 / os.sysconf("SC_CLK_TCK")


def cpu(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * TICK


def info(redis, section):
    return dict(re.findall(r"^(\w+):(.*?)\r?$", redis.command("INFO", section).decode(), re.MULTILINE))


def scripts(redis):
    """Calls of scripts, and the seconds that they took."""
    found = re.search(rb"cmdstat_evalsha:calls=(\d+),usec=(\d+)", redis.command("INFO", "commandstats"))
    return (int(found[1]), int(found[2]) / 1e6) if found else (0, 0.0)


@contextlib.contextmanager
def workers(count, redis, environment):
    """They have run a search before: what is measured is a team that is at work."""
    command = [BIN / "heddle", "worker", "--quiet", "--on", redis.url]
    team = [subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL) for _ in range(count)]
    try:
        yield team
    finally:
        for one in team:
            one.terminate()
        for one in team:
            one.wait()


def measure(count, seconds, redis, program, folder, environment):
    command = [BIN / "heddle", "run", "--on", redis.url, "--quiet", "--json", "-", "--out", folder, "--strategy", "dfs",
               "--seconds", seconds, program]  # fmt: skip
    with workers(count, redis, environment):
        before, cpu_before, scripts_before = info(redis, "stats"), cpu(redis.process.pid), scripts(redis)
        ran = subprocess.Popen([str(word) for word in command], env=environment, stdout=subprocess.PIPE,
                               stdin=subprocess.DEVNULL)  # fmt: skip
        out = ran.stdout.read()
        _, status, usage = os.wait4(ran.pid, 0)
        after, cpu_after, scripts_after = info(redis, "stats"), cpu(redis.process.pid), scripts(redis)
    redis.command("FLUSHDB")
    report = json.loads(out)
    wire = sum(int(after[name]) - int(before[name]) for name in ("total_net_input_bytes", "total_net_output_bytes"))
    tasks = report["machines"]["tasks"]
    return {
        "rate": report["executions"] / report["seconds"],
        "bytes": wire / report["executions"],
        "redis": (cpu_after - cpu_before) / report["seconds"],
        "coordinator": (usage.ru_utime + usage.ru_stime) / report["seconds"],
        "coordinator_task": (usage.ru_utime + usage.ru_stime) / tasks,
        "redis_task": (cpu_after - cpu_before) / tasks,
        "script": (scripts_after[1] - scripts_before[1]) / max(scripts_after[0] - scripts_before[0], 1),
        "tasks": tasks / report["seconds"],
        "complete": report["coverage"]["complete"],
    }


class Model:
    """Workers, and Redis and the coordinator as servers with a queue each. What is not measured: into how uneven pieces
    what is left over falls (here as chance would have it: proportions of exponentially distributed pieces), and the way
    over the network."""

    HANDS, ENOUGH, FIRST = 4, 4, 8  # as in worker.cc and coordinator.cc
    NETWORK = 0.0005  # seconds, there and back

    def __init__(self, count, work, rate, redis, fold, begin, seed=1):
        self.count, self.rate, self.redis, self.fold, self.begin = count, rate, redis, fold, begin
        self.task = min(max(count / 100, 1), 10)  # seconds
        self.chance = random.Random(seed)
        self.redis_free = self.redis_busy = self.fold_free = 0.0
        self.tasks = [(part, 256) for part in self.split(work, self.FIRST)]
        self.taken = 0

    def split(self, work, hands):
        pieces = [self.chance.expovariate(1) for _ in range(hands)]
        return [work * piece / sum(pieces) for piece in pieces]

    def ask(self, now):
        begin = max(now, self.redis_free)
        self.redis_free = begin + self.redis
        self.redis_busy += self.redis
        return self.redis_free + self.NETWORK

    def run(self):
        """Seconds until all results are in."""
        events = [(0.0, place, None) for place in range(self.count)]  # time, worker, its task that ends then
        pauses = [0.01] * self.count
        end = 0.0
        while events:
            now, worker, done = heapq.heappop(events)
            if done is not None:
                work, budget, took = done
                now = self.ask(now)
                self.fold_free = max(now, self.fold_free) + self.fold
                end = max(end, self.fold_free)
                left = work - budget
                self.taken -= 1
                if left > 0:
                    is_enough = len(self.tasks) + self.taken >= self.ENOUGH * self.count
                    wanted = self.task if is_enough else 1
                    each = min(max(budget / max(took, 1e-3) * wanted, 64), 1e6)
                    self.tasks += [(part, each) for part in self.split(left, 1 if is_enough else self.HANDS)]
            now = self.ask(now)
            if self.tasks:
                pauses[worker] = 0.01
                work, budget = self.tasks.pop(0)
                self.taken += 1
                executions = min(work, budget)
                took = self.begin + executions / self.rate
                heapq.heappush(events, (now + took, worker, (work, budget, took)))
            elif self.taken:
                heapq.heappush(events, (now + pauses[worker], worker, None))
                pauses[worker] = min(2 * pauses[worker], 0.5)
        return end


def span(seconds):
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def simulate(measured, begin):
    print("\nsimulated: speed-up over one worker that searches alone, and Redis' share of a core")
    counts = (2, 10, 100, 1000)
    print(f"{'alone':>8}" + "".join(f"{count:>14} workers" for count in counts))
    for alone in (10, 60, 600, 3600, 36_000, 360_000):
        line = f"{span(alone):>8}"
        for count in counts:
            model = Model(count, alone * measured["rate"], measured["rate"], measured["redis_task"] / 2,
                          measured["coordinator_task"], begin)  # fmt: skip
            took = model.run()
            line += f"{alone / took:12.1f} {100 * model.redis_busy / took:6.1f} %"
        print(line)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    # The tree of the 20-step test, two hundred times.
    environment = {**os.environ, **redis_server.environment(), "HEDDLE_BENCH_REPEAT": "1"}
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "throughput"
        source = HERE / "programs/throughput.cc"
        subprocess.run([BIN / "heddle-c++", "-std=c++20", "-O2", "-g", source, "-o", program], check=True)
        alone = [str(word) for word in (BIN / "heddle", "run", "--quiet", "--json", "-", "--out", folder, "--strategy", "dfs",
                 "--executions", 1, program)]  # fmt: skip
        starts = []
        for _ in range(5):
            begun = time.monotonic()
            subprocess.run(alone, stdout=subprocess.DEVNULL, check=True)
            starts.append(time.monotonic() - begun)
        redis = redis_server.RedisServer()
        used, begun = cpu(redis.process.pid), time.monotonic()
        time.sleep(2)
        idle = (cpu(redis.process.pid) - used) / (time.monotonic() - begun)
        rounds = {1: [], 2: []}
        try:
            for _ in range(options.rounds):
                for count in rounds:
                    rounds[count].append(measure(count, options.seconds, redis, program, folder, environment))
        finally:
            redis.stop()
    print(f"{len(os.sched_getaffinity(0))} cores; median of {options.rounds} rounds of {options.seconds:g} s, 20 steps and one")
    print(f"{'workers':8} {'executions':>12} {'tasks':>8} {'bytes each':>11} {'Redis':>7} {'coordinator':>12}")
    medians = {}
    for count, all in rounds.items():
        middle = {name: statistics.median(one[name] for one in all) for name in all[0]}
        medians[count] = middle
        print(f"{count:<8} {middle['rate']:10,.0f}/s {middle['tasks']:6.1f}/s {middle['bytes']:11.2f} "
              f"{100 * middle['redis']:5.1f} % {100 * middle['coordinator']:10.1f} %")  # fmt: skip
    ratio = statistics.median(two["rate"] / one["rate"] for one, two in zip(rounds[1], rounds[2]))
    print(f"two workers: {ratio:.2f} times one")
    two = medians[2]
    print(f"a task: Redis {1e3 * two['redis_task']:.2f} ms (a script {1e6 * two['script']:.0f} us), "
          f"coordinator {1e3 * two['coordinator_task']:.2f} ms, to begin it {1e3 * statistics.median(starts):.0f} ms")  # fmt: skip
    # What it needs when nobody asks is no task's.
    two["redis_task"] = max(two["redis_task"] - idle / two["tasks"], two["script"])
    simulate({**two, "rate": medians[1]["rate"]}, statistics.median(starts))


main()

#!/usr/bin/env python3
"""What a second worker brings: executions per second with --jobs 1 and --jobs 2, side by side, on tests of growing length.

Called by `./dev bench scaling`, which sets HEDDLE_BIN_DIR. Rounds alternate between the two, and the median ratio is printed.
The engine needs a core of its own only as far as it has something to do: with long executions it has little.
"""

import json
import os
import pathlib
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
ROUNDS = 3
SECONDS = 4
SEARCHES = {
    "dfs, two preemptions": ["--strategy", "dfs", "--preemptions", "2"],
    "ss,mdpor, two preemptions": ["--strategy", "best-first", "--preemptions", "2"],
    "mdpor,pb, reduction": ["--strategy", "best-first", "--reduce", "dpor"],
}
LENGTHS = [5, 50, 100, 250]  # updates of a thread: 20, 110, 210 and 510 steps


def rate(program, size, options, jobs, folder):
    command = [BIN / "heddle", "run", "--quiet", "--json", "-", "--out", folder, "--seconds", SECONDS, "--jobs", jobs, *options,
               "--", program, "counter", size]
    ran = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True)
    report = json.loads(ran.stdout)
    return report["executions_per_second"], report["max_steps"], report["coverage"]["complete"]


def main():
    print(f"{len(os.sched_getaffinity(0))} cores; median of {ROUNDS} rounds of {SECONDS} s")
    print(f"{'':28} {'steps':>6} {'1 job':>12} {'2 jobs':>12} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "reduction"
        source = HERE / "programs/reduction.cc"
        subprocess.run([BIN / "heddle-c++", "-std=c++20", "-O2", "-g", source, "-o", program], check=True)
        for name, options in SEARCHES.items():
            for size in LENGTHS:
                rates = {1: [], 2: []}
                for _ in range(ROUNDS):
                    for jobs in rates:
                        found, steps, complete = rate(program, size, options, jobs, folder)
                        rates[jobs].append(found)
                if complete:  # too short to measure
                    continue
                one, two = (statistics.median(rates[jobs]) for jobs in rates)
                ratio = statistics.median(b / a for a, b in zip(rates[1], rates[2]))
                print(f"{name:28} {steps:6} {one:10,.0f}/s {two:10,.0f}/s {ratio:6.2f}")


main()

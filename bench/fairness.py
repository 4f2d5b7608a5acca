#!/usr/bin/env python3
"""What fair scheduling costs: nanoseconds for a step with --fair on and with --fair off, side by side.

Called by `./dev bench fairness`, which sets HEDDLE_BIN_DIR. Threads that never yield, threads that yield at every other step, and
threads that spin until it is their turn (which without fairness has no end); with 2, 8 and 64 of them. Rounds alternate between
the two; the medians are printed, and the median of the differences.
"""

import json
import os
import pathlib
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
ROUNDS = 5
SECONDS = 1


def step(program, how, threads, fair, strategy, folder):
    """Nanoseconds."""
    command = [BIN / "heddle", "run", "--quiet", "--json", "-", "--out", folder, "--seconds", SECONDS, "--fair", fair,
               "--races", "ignore", "--strategy", strategy, "--depth", "100", "--", program, how, threads]
    if strategy == "random":
        command = [word for word in command if word not in ("--depth", "100")]
    ran = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True)
    report = json.loads(ran.stdout)
    return report["seconds"] * 1e9 / report["steps"]


def main():
    print(f"ns for a step, median of {ROUNDS} rounds of {SECONDS} s")
    print(f"{'':24} {'threads':>8} {'unfair':>8} {'fair':>8} {'more':>8}")
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "fairness"
        source = HERE / "programs/fairness.cc"
        subprocess.run([BIN / "heddle-c++", "-std=c++20", "-O2", "-g", source, "-o", program], check=True)
        for strategy in ("dfs", "random"):
            for how in ("plain", "yields", "spins"):
                for threads in (2, 8, 64):
                    ways = ("on",) if how == "spins" and strategy == "dfs" else ("off", "on")
                    times = {way: [] for way in ways}
                    for _ in range(ROUNDS):
                        for way in ways:
                            times[way].append(step(program, how, threads, way, strategy, folder))
                    fair = statistics.median(times["on"])
                    row = f"{strategy + ', ' + how:24} {threads:8}"
                    if "off" not in times:
                        print(f"{row} {'':8} {fair:8.1f}")
                        continue
                    more = statistics.median(on - off for on, off in zip(times["on"], times["off"]))
                    print(f"{row} {statistics.median(times['off']):8.1f} {fair:8.1f} {more:8.1f}")


main()

#!/usr/bin/env python3
"""Partial-order reduction: runs, redundant runs and rate on programs of which the number of classes is known or of interest.

Called by `./dev bench reduction`, which sets HEDDLE_BIN_DIR; also: reduction.py [--seconds S]. Each search goes to its end, or S
seconds. In the end, how busy the worker was on the 20-step test: the rate of the search against that of random executions, for
which the engine has next to nothing to do.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
ROUNDS = 3

# Program, size, classes where there is a formula.
PROGRAMS = [
    ("counter", 9, 48620),
    ("lastzero", 6, 144),
    ("lastzero", 8, 704),
    ("lastzero", 12, 15360),
    ("readers", 8, 256),
    ("readers", 12, 4096),
    ("mutex", 8, 12870),
    ("treiber", 2, None),
    ("treiber", 3, None),
    ("buffer", 2, None),
]


def heddle(*words):
    command = [str(word) for word in (BIN / "heddle", "run", "--quiet", "--json", "-", *words)]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True)
    return json.loads(ran.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", default="60", help="for each search")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "reduction"
        source = HERE / "programs/reduction.cc"
        subprocess.run([BIN / "heddle-c++", "-std=c++20", "-O2", "-g", source, "-o", program], check=True)
        common = ["--strategy", "dfs", "--seconds", arguments.seconds, "--out", folder]
        print(f"{'':16} {'runs':>10} {'redundant':>10} {'classes':>10} {'steps':>6} {'seconds':>8} {'runs/s':>9}")
        for name, size, classes in PROGRAMS:
            report = heddle(*common, "--reduce", "dpor", "--", program, name, size)
            complete = report["coverage"]["complete"]
            assert not complete or classes in (None, report["distinct"]), (name, size, report["distinct"])
            print(
                f"{f'{name}({size})':16} {report['executions']:10,} {report['executions'] - report['distinct']:10,}"
                f" {report['distinct']:10,} {report['max_steps']:6} {report['seconds']:8.2f}"
                f" {report['executions_per_second']:9,.0f}{'' if complete else '  not complete'}"
            )

        print(f"\nthe 20-step test (counter(5)), median of {ROUNDS} rounds, executions/s")
        searches = {
            "random": ["--strategy", "random", "--executions", "300000"],
            "dfs": ["--strategy", "dfs", "--executions", "300000"],
            "two preemptions, ss,mdpor": ["--strategy", "best-first", "--preemptions", "2"],
            "reduction, mdpor,pb": ["--strategy", "best-first", "--reduce", "dpor"],
        }
        sizes = {"random": 5, "dfs": 5, "two preemptions, ss,mdpor": 40, "reduction, mdpor,pb": 9}
        rates = {search: [] for search in searches}
        for _ in range(ROUNDS):
            for search, options in searches.items():
                report = heddle(*options, "--seconds", "10", "--out", folder, "--", program, "counter", sizes[search])
                rates[search].append((report["executions_per_second"], report["steps"] / report["seconds"]))
        for search, found in rates.items():
            rate, steps = (statistics.median(values) for values in zip(*found))
            print(f"  {search + f', counter({sizes[search]})':40} {rate:10,.0f}   {steps / 1e6:6.1f} million steps/s")


main()

#!/usr/bin/env python3
"""This build beside another one: rates of the rows of the other benchmarks, in interleaved rounds.

  ./dev bench compare ../other/build/release/bin [--rounds N] [--only WORD]

The machine is noisy, so each round measures both builds of a row one after the other, in turn first; what is printed is the median
of each and the median of the ratios. Above 1 this build is the faster one. Without another build there is nothing to compare.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
THIS = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
FLAGS = ["-std=c++20", "-O2", "-g"]

RANDOM = ["--strategy", "random", "--executions", "40000"]
REDUCED = ["--strategy", "dfs", "--reduce", "dpor", "--seconds", "4"]
ONCE = ["--show-output", "--strategy", "random", "--executions", "1"]

# Name, source, options, the program's arguments, what is measured.
ROWS = [
    ("20 steps, dfs", "throughput.cc", ["--strategy", "dfs", "--preemptions", "none", "--seconds", "2"], [], "rate"),
    ("20 steps, random", "throughput.cc", RANDOM, [], "rate"),
    ("20 steps, random, races ignore", "throughput.cc", [*RANDOM, "--races", "ignore"], [], "rate"),
    ("300 accesses, 6 locks", "guarded.cc", RANDOM, [], "rate"),
    ("300 accesses, 6 locks, races ignore", "guarded.cc", [*RANDOM, "--races", "ignore"], [], "rate"),
    ("reduction, counter(9)", "reduction.cc", REDUCED, ["counter", "9"], "rate"),
    ("reduction, lastzero(12)", "reduction.cc", REDUCED, ["lastzero", "12"], "rate"),
    ("reduction, readers(12)", "reduction.cc", REDUCED, ["readers", "12"], "rate"),
    ("reduction, mutex(8)", "reduction.cc", REDUCED, ["mutex", "8"], "rate"),
    ("reduction, treiber(3)", "reduction.cc", REDUCED, ["treiber", "3"], "rate"),
    ("fair, 8 threads that yield", "fairness.cc", ["--strategy", "random", "--seconds", "1"], ["yields", "8"], "steps"),
    ("fair, 64 threads", "fairness.cc", ["--strategy", "random", "--seconds", "1"], ["plain", "64"], "steps"),
    ("accesses, one thread", "accesses.cc", ONCE, ["alone"], "time"),
    ("accesses, two threads", "accesses.cc", ONCE, ["beside"], "time"),
    ("accesses, races ignore", "accesses.cc", [*ONCE, "--races", "ignore"], ["beside"], "time"),
]


def output(*command):
    words = [str(word) for word in command]
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout.decode()


def measure(binaries, program, options, arguments, what, folder):
    """The more, the faster."""
    command = [binaries / "heddle", "run", "--quiet", "--out", folder, *options]
    if what == "time":  # the program prints its own: nanoseconds an access
        return 1 / float(output(*command, "--", program, *arguments))
    report = json.loads(output(*command, "--json", "-", "--", program, *arguments))
    if what == "steps":
        return report["steps"] / report["seconds"]
    return report["executions_per_second"]


def build(binaries, source, folder, name):
    program = pathlib.Path(folder) / name
    output(binaries / "heddle-c++", *FLAGS, HERE / "programs" / source, "-o", program)
    return program


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("other", nargs="?", type=pathlib.Path, help="the bin folder of another build")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="", help="rows with this in their names")
    given = parser.parse_args()
    if given.other is None:
        print("nothing to compare with; type: ./dev bench compare OTHER/build/release/bin")
        return
    builds = {"other": given.other.resolve(), "this": THIS}
    print(f"{'median of ' + str(given.rounds) + ' rounds':36} {'other':>14} {'this':>14} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:
        programs = {}
        for name, source, options, arguments, what in ROWS:
            if given.only not in name:
                continue
            for build_name, binaries in builds.items():
                if (build_name, source) not in programs:
                    programs[build_name, source] = build(binaries, source, folder, f"{build_name}-{source}.out")
            found = {"other": [], "this": []}
            for number in range(given.rounds):
                for build_name in ("other", "this") if number % 2 == 0 else ("this", "other"):
                    program = programs[build_name, source]
                    found[build_name].append(measure(builds[build_name], program, options, arguments, what, folder))
            ratio = statistics.median(ours / theirs for ours, theirs in zip(found["this"], found["other"]))
            other, ours = (statistics.median(found[build_name]) for build_name in ("other", "this"))
            print(f"{name:36} {other:14,.3g} {ours:14,.3g} {ratio:7.2f}", flush=True)


main()

#!/usr/bin/env python3
"""What each part of an execution costs, alone, in nanoseconds, beside its budget.

  ./dev bench parts [--against OTHER/build/release/bin] [--rounds N] [--only WORD]

The program measures itself (programs/parts.cc): with the processor's ticks, in the worker, so that the engine and other processes do
not count. Each run gives the median of its executions; printed is the median of the rounds, in which the parts, and with --against the
two builds, follow one another. Without a switch, decision and so on are differences of what is measured; `measured` says of what.
"""

import argparse
import os
import pathlib
import statistics
import struct
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
THIS = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
SAMPLES = 1 << 16
HEAD = 16

RANDOM = ["--strategy", "random"]
# By default nobody is asked but where a thread cannot go on.
DEFAULT = ["--strategy", "dfs", "--preemptions", "0"]

# Name, the program's arguments, options, executions.
RUNS = {
    "empty": (["empty"], RANDOM, 20000),
    "threads": (["threads", "repeated"], DEFAULT, 200),
    "step": (["steps", "repeated"], DEFAULT, 200),
    "asked": (["steps"], RANDOM, 200),
    "two": (["race", "2"], RANDOM, 100),
    "many": (["race", "64"], RANDOM, 40),
    "test": (["test"], RANDOM, 20000),
    "test, off": (["test"], [*RANDOM, "--races", "ignore"], 20000),
    "accesses": (["accesses"], RANDOM, 500),
    "accesses, off": (["accesses"], [*RANDOM, "--races", "ignore"], 500),
    "heap": (["heap"], RANDOM, 2000),
}

# What is printed: name, budget, unit, from what is measured.
PARTS = [
    ("empty execution", 100, "ns", lambda m: m["empty"]),
    ("thread created, run and joined", 120, "ns", lambda m: m["threads"]),
    ("step without a switch", 20, "ns", lambda m: m["step"]),
    ("step with a switch", 35, "ns", lambda m: m["step"] + switch(m)),
    ("decision, two threads", 15, "ns", lambda m: m["asked"] - m["step"]),
    ("decision, 64 threads", 60, "ns", lambda m: m["many"] - m["step"] - switch(m) * 63 / 64),
    ("20-step test", None, "ns", lambda m: m["test"]),
    ("20-step test, races ignore", None, "ns", lambda m: m["test, off"]),
    ("  detectors", 1.2, "times", lambda m: m["test"] / m["test, off"]),
    ("plain read and write", None, "ns", lambda m: m["accesses"]),
    ("plain read and write, races ignore", None, "ns", lambda m: m["accesses, off"]),
    ("  detectors", 1.5, "times", lambda m: m["accesses"] / m["accesses, off"]),
    ("free and malloc", 20, "ns", lambda m: m["heap"]),
]


def switch(measured):
    """Of two threads one goes on every second time."""
    return 2 * (measured["two"] - measured["asked"])


def output(*command, **environment):
    words = [str(word) for word in command]
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          env={**os.environ, **environment}).stdout.decode()


def ticks_per_nanosecond(folder):
    source = folder / "ticks.c"
    source.write_text("#include <stdio.h>\n#include <time.h>\n"
                      "static double ns(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);"
                      " return t.tv_sec * 1e9 + t.tv_nsec; }\n"
                      "int main(void) { double a = ns(), b; unsigned long long t = __builtin_ia32_rdtsc();"
                      " while ((b = ns()) - a < 1e8) {} printf(\"%f\", (__builtin_ia32_rdtsc() - t) / (b - a)); }\n")
    output("cc", "-O1", source, "-o", folder / "ticks")
    return float(output(folder / "ticks"))


def measure(binaries, program, folder, run):
    """Ticks: the median of all executions but the first tenth."""
    arguments, options, executions = run
    file = folder / "samples"
    file.write_bytes(bytes(HEAD + 4 * SAMPLES))
    output(binaries / "heddle", "run", "--quiet", "--out", folder / "out", "--executions", executions, *options, "--",
           program, *arguments, HEDDLE_PARTS_FILE=str(file))
    content = file.read_bytes()
    count = min(struct.unpack_from("=Q", content)[0], SAMPLES)
    found = struct.unpack_from(f"={count}I", content, HEAD)
    return statistics.median(found[count // 10:])


def report(given, rate, measured):
    names = [name for name in ("other", "this") if measured[name]]
    print(f"{'median of ' + str(given.rounds) + ' rounds':38}{'budget':>8}", end="")
    print("".join(f"{name:>10}" for name in names) + ("     ratio" if len(names) == 2 else ""))
    medians = {
        name: {run: statistics.median(ticks) / rate for run, ticks in measured[name].items() if ticks}
        for name in names
    }
    for part, budget, unit, value in PARTS:
        try:
            values = [value(medians[name]) for name in names]
        except KeyError:  # --only
            continue
        text = "".join(f"{v:10.2f}" if unit == "times" else f"{v:10.1f}" for v in values)
        if len(values) == 2 and unit == "ns":
            text += f"{values[0] / values[1]:10.2f}"
        print(f"{part:38}{'' if budget is None else budget:>8}{text}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--against", type=pathlib.Path, help="the bin folder of another build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="runs with this in their names")
    given = parser.parse_args()
    builds = {"this": THIS}
    if given.against is not None:
        builds = {"other": given.against.resolve(), "this": THIS}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rate = ticks_per_nanosecond(folder)
        programs = {}
        for build, binaries in builds.items():
            programs[build] = folder / f"{build}.out"
            output(binaries / "heddle-c++", "-std=c++20", "-O2", "-g", HERE / "programs/parts.cc", "-o", programs[build])
        measured = {build: {run: [] for run in RUNS} for build in builds} | {
            build: {} for build in ("other", "this") if build not in builds
        }
        for number in range(given.rounds):
            for run in RUNS:
                if given.only not in run:
                    continue
                order = list(builds) if number % 2 == 0 else list(builds)[::-1]
                for build in order:
                    measured[build][run].append(measure(builds[build], programs[build], folder, RUNS[run]))
        report(given, rate, measured)


main()

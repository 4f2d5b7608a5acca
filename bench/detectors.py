#!/usr/bin/env python3
"""What the detectors cost: the rate of a search with and without them, and the slow-down of a program of a hundred million
accesses against the native run and against ThreadSanitizer's own.

Everything is measured side by side in one run, three rounds, and the median of each is printed, since machines are noisy. Errors of
the heap are looked for always; --races ignore takes the race detector away. Called by `./dev bench detectors`, which sets
HEDDLE_BIN_DIR.
"""

import json
import os
import pathlib
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
FLAGS = ["-std=c++20", "-O2", "-g"]
ROUNDS = 3


def output(*command):
    words = [str(word) for word in command]
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout.decode()


def rate(program, races):
    report = json.loads(output(BIN / "heddle", "run", "--quiet", "--json", "-", "--strategy", "random", "--executions",
                               20_000, "--races", races, program))
    assert report["failures"] == [], report
    return report["executions_per_second"]


def controlled(program, how, races):
    return float(output(BIN / "heddle", "run", "--quiet", "--show-output", "--strategy", "random", "--executions", 1,
                        "--races", races, program, how))


def build(folder, compiler, source, name, *options):
    program = pathlib.Path(folder) / name
    output(compiler, *FLAGS, *options, HERE / "programs" / source, "-o", program)
    return program


def searches(folder):
    print("rate of a search, executions/s          without races      with them")
    for source, words in [("throughput.cc", "ten atomic updates"), ("guarded.cc", "300 plain accesses, 6 locks")]:
        program = build(folder, BIN / "heddle-c++", source, source + ".out")
        found = {"ignore": [], "fail": []}
        for _ in range(ROUNDS):
            for races, rates in found.items():
                rates.append(rate(program, races))
        without, with_them = (statistics.median(found[races]) for races in ("ignore", "fail"))
        print(f"  {words:36} {without:14,.0f} {with_them:14,.0f}   {without / with_them:.2f} times as slow")


def accesses(folder):
    native = build(folder, "g++", "accesses.cc", "native")
    sanitized = build(folder, "g++", "accesses.cc", "sanitized", "-fsanitize=thread")
    heddle = build(folder, BIN / "heddle-c++", "accesses.cc", "controlled")
    # Without its address randomisation, which ThreadSanitizer does not bear on every kernel.
    ways = {
        "native": lambda: float(output(native)),
        "built with heddle-c++, not under control": lambda: float(output(heddle)),
        "under control, one thread": lambda: controlled(heddle, "alone", "fail"),
        "under control, two threads": lambda: controlled(heddle, "beside", "fail"),
        "under control, two threads, --races ignore": lambda: controlled(heddle, "beside", "ignore"),
        "ThreadSanitizer, one thread": lambda: float(output("setarch", "-R", sanitized)),
        "ThreadSanitizer, two threads": lambda: float(output("setarch", "-R", sanitized, "beside")),
    }
    found = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, measure in ways.items():
            found[name].append(measure())
    base = statistics.median(found["native"])
    print("\n100 million accesses                               ns each    times native")
    for name, values in found.items():
        median = statistics.median(values)
        print(f"  {name:46} {median:9.2f} {median / base:12.1f}")


def main():
    print(f"median of {ROUNDS} rounds")
    with tempfile.TemporaryDirectory() as folder:
        searches(folder)
        accesses(folder)


main()

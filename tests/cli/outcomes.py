#!/usr/bin/env python3
"""The primitives of C++20's library: all outcomes of small programs that use them, by complete
search, against models written from the standard's words; and what happens natively is among them.

By hand, some of the programs:
  HEDDLE_BIN_DIR=build/release/bin HEDDLE_SOURCE_DIR=. python3 tests/cli/outcomes.py latch barrier
"""

import concurrent.futures
import functools
import os
import pathlib
import sys
import tempfile
import time

for folder in ("", "outcomes"):
    sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", folder))
import cases
import compare
import processes

# Two: the machines that run the tests have two cores.
WORKERS = 2


def timed(case, controlled, native):
    begin = time.monotonic()
    found = compare.differences(case, controlled, native)
    return *found, time.monotonic() - begin


def main():
    names = sys.argv[1:]
    chosen = [c for c in cases.CASES if not names or any(n in c.program for n in names)]
    if not names and not processes.ALL_SAMPLES:
        chosen = chosen[::2]
    bad = 0
    with (
        tempfile.TemporaryDirectory(prefix="heddle-outcomes-") as directory,
        concurrent.futures.ThreadPoolExecutor(WORKERS) as pool,
    ):
        directory = pathlib.Path(directory)
        builds = [(compare.bin_dir() / "heddle-c++", "controlled"), ("g++", "native")]
        binaries = pool.map(lambda b: compare.build(b[0], directory / b[1]), builds)
        check = functools.partial(timed, **dict(zip(["controlled", "native"], binaries)))
        for case, (problems, executions, outcomes, seconds) in zip(chosen, pool.map(check, chosen)):
            how = "all" if case.bound is None else f"preemptions {case.bound}"
            how += "" if case.steps is None else f", at most {case.steps} steps"
            numbers = f"{outcomes} outcomes, {executions} executions ({how}), {seconds:.1f} s"
            print(f"{case.name}: {numbers}", flush=True)
            for problem in problems:
                print(f"  {problem}", flush=True)
            bad += bool(problems)
    print(f"{len(chosen)} programs, {bad} differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

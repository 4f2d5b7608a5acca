#!/usr/bin/env python3
"""Programs with plain accesses, atomics of all orders, fences and locks: heddle's race detector against
the oracle of tests/oracle/race_oracle.py. Some are families of all memory orders, some random.

By hand, with other seeds and as many programs as you like:
  HEDDLE_BIN_DIR=build/release/bin HEDDLE_SOURCE_DIR=. \\
      python3 tests/cli/oracle_races.py --seeds 7 8 9 --count 500
"""

import argparse
import itertools
import os
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "oracle"))
import race_compare
import race_families
import race_generate

BUILDS = [("g++", "-O0"), ("clang++", "-O2"), ("g++", "-O2"), ("clang++", "-O0")]


def main():
    parser = argparse.ArgumentParser(description="Compares heddle's race detector with the oracle.")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--count", type=int, default=30, help="programs of each seed")
    parser.add_argument("--limit", type=int, default=400, help="executions of a program")
    options = parser.parse_args()
    good = race_compare.check(race_families.programs(), *BUILDS[0])
    for seed, build in zip(options.seeds, itertools.cycle(BUILDS[1:] + BUILDS[:1])):
        programs = race_generate.programs(seed, options.count, options.limit)
        good &= race_compare.check(programs, *build)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

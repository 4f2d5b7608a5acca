#!/usr/bin/env python3
"""Random programs: heddle's searches against the enumerator of tests/oracle.

By hand, with other seeds and as many programs as you like:
  HEDDLE_BIN_DIR=build/release/bin HEDDLE_SOURCE_DIR=. \\
      python3 tests/cli/oracle_random.py --seeds 7 8 9 --count 500
"""

import argparse
import itertools
import os
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "oracle"))
import compare
import generate


def main():
    parser = argparse.ArgumentParser(description="Compares heddle with the oracle.")
    parser.add_argument("--seeds", type=int, nargs="+", default=[20])
    parser.add_argument("--count", type=int, default=45, help="programs of each seed")
    parser.add_argument("--compilers", nargs="+", default=["g++", "clang++"], help="by turns")
    parser.add_argument("--subtrees", action="store_true", help="hand them out from the first execution on")
    options = parser.parse_args()
    if options.subtrees:
        os.environ["HEDDLE_SUBTREES_AFTER"] = "1"
    good = True
    for seed, compiler in zip(options.seeds, itertools.cycle(options.compilers)):
        good &= compare.check(generate.programs(seed, options.count), compiler)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

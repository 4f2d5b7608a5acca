#!/usr/bin/env python3
"""State matching of programs that spin, yield and retry: what the fair scheduler knows belongs to a state. Searches that
stop where they have been before find what plain depth-first search finds: see matching.py.

By hand, with as many programs as you like:
  HEDDLE_BIN_DIR=build/release/bin HEDDLE_SOURCE_DIR=. \\
      python3 tests/cli/matching_fair.py --seeds 1-500
"""

import argparse
import concurrent.futures
import functools
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "oracle"))
import compare
import fair_generate
import reduction_compare

BATCH = 100  # programs in a binary
BACKTRACK = ("--strategy", "backtrack", "--threshold", "0", "--jump", "fixed", "--ratio", "1", "--backtrack-order")
WAYS = [
    ("--strategy", "dfs", "--match", "on"),
    ("--strategy", "best-first", "--order", "mdpor", "--match", "on"),
    (*BACKTRACK, "default"),
    (*BACKTRACK, "random"),
    (*BACKTRACK, "switch"),
]
BOUNDS = ["none", "none", "1", "2"]
FAIR = [(), ("--fair", "1"), ("--fair", "2")]  # all yields count, or every second


def range_of(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def arguments():
    parser = argparse.ArgumentParser(description="Compares fair searches with and without state matching.")
    parser.add_argument("--seeds", type=range_of, default=range(1, 21), help="1-20, or one")
    return parser.parse_args()


def check(binary, number, seed):
    """Executions of the plain search for each way, executions with matching, what differs; None: it is too long."""
    options = (*FAIR[seed % len(FAIR)], "--preemptions", BOUNDS[seed % len(BOUNDS)])
    try:
        plain = reduction_compare.search(binary, number, ("--strategy", "dfs", *options), reduction_compare.MOST_EXECUTIONS)
    except reduction_compare.TooLong:
        return None
    executions, problems = 0, []
    for way in WAYS:
        found = reduction_compare.search(binary, number, (*way, *options))
        executions += len(found.lines)
        for problem in reduction_compare.difference(plain, found):
            problems.append(f"{' '.join((*way, *options))}\n    {problem}")
    return len(plain.lines) * len(WAYS), executions, problems


def main():
    seeds = arguments().seeds
    programs = plain = matching = differing = too_long = 0
    with concurrent.futures.ProcessPoolExecutor(compare.WORKERS) as pool:
        for first in range(0, len(seeds), BATCH):
            batch = {seed: fair_generate.programs(seed, count=1, ends=True)[0] for seed in seeds[first : first + BATCH]}
            with tempfile.TemporaryDirectory(prefix="heddle-matching-") as directory:
                binary = compare.build(batch.values(), pathlib.Path(directory), values_at_exit=True)
                results = pool.map(functools.partial(check, binary), range(len(batch)), batch.keys())
                for (seed, program), result in zip(batch.items(), results):
                    if result is None:
                        too_long += 1
                        continue
                    before, after, problems = result
                    programs, plain, matching = programs + 1, plain + before, matching + after
                    differing += bool(problems)
                    for problem in problems:
                        print(f"seed {seed}:\n{program}\n  {problem}", flush=True)
    print(f"{programs} programs, {differing} differ; {too_long} were too long; {plain} plain executions, {matching} with matching")
    return 0 if differing == 0 and matching < plain else 1


if __name__ == "__main__":
    sys.exit(main())

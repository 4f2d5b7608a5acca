#!/usr/bin/env python3
"""Random programs: a search with reduction covers what plain depth-first search covers, in every
order of the fringe, with sleep sets and without, with one worker and two; and a bounded search makes
the same executions in every order. See tests/oracle/reduction_compare.py.

By hand, with as many programs as you like, and every difference made small:
  HEDDLE_BIN_DIR=build/release/bin HEDDLE_SOURCE_DIR=. \\
      python3 tests/cli/reduction_random.py --seeds 1000-3000 --minimise
"""

import argparse
import concurrent.futures
import functools
import os
import pathlib
import sys
import tempfile
import time
from collections import Counter

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "oracle"))
import compare
import fair_generate
import reduction_compare
import reduction_generate
import reduction_minimise

BATCH = 100  # programs in a binary


def range_of(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def arguments():
    parser = argparse.ArgumentParser(description="Compares searches that must cover the same.")
    parser.add_argument("--seeds", type=range_of, default=range(101, 541), help="101-540, or one")
    parser.add_argument("--retry", action="store_true", help="programs that spin, yield and retry")
    parser.add_argument("--shard", default="1/1", help="2/4: the second quarter of the seeds")
    parser.add_argument("--at-least", type=int, default=0, help="so many programs must be compared")
    parser.add_argument("--reductions", type=int, default=4, help="ways to reduce, of each program")
    parser.add_argument("--divided", type=int, default=1, help="ways to reduce in parts, of each program")
    parser.add_argument("--bounded", type=int, default=1, help="bounded orders, of each program")
    parser.add_argument("--options", default="", help="further options of every heddle run")
    parser.add_argument("--minimise", action="store_true", help="make programs that differ small")
    return parser.parse_args()


def still_differs(options, binary, number):
    """With the options that showed the difference."""
    bounded = "--preemptions" in options  # and behind it
    bound = options[options.index("--preemptions") :] if bounded else ()
    plain = [*reduction_compare.PLAIN, *bound]
    try:
        ours = reduction_compare.search(binary, number, plain, reduction_compare.MOST_EXECUTIONS)
        reduction_compare.check_plain(ours)
        if options[-1].endswith("parts"):
            theirs = reduction_compare.search_parts(binary, number, options[:-1], int(options[-1].split()[1]))
        else:
            theirs = reduction_compare.search(binary, number, options)
    except reduction_compare.TooLong:
        return False
    except Exception:
        return True
    if bounded:
        return bool(reduction_compare.bounded_difference(ours, theirs))
    return bool(reduction_compare.difference(ours, theirs))


def show(program, checked, minimise):
    print(f"{program.name}:\n{program}")
    for options, problem in checked.problems:
        print(f"  {' '.join(options)}\n    {problem}")
    if minimise:
        options = checked.problems[0][0]
        small = reduction_minimise.minimise(program, functools.partial(still_differs, options))
        print(f"smallest, with {' '.join(options)}:\n{small}")
    print(flush=True)


def program_that_retries(seed):
    return fair_generate.programs(seed, count=1, ends=True)[0]


def check_batch(seeds, given, pool):
    """Each program, and what came of it."""
    source = program_that_retries if given.retry else reduction_generate.program
    programs = {seed: program for seed in seeds if (program := source(seed))}
    with tempfile.TemporaryDirectory(prefix="heddle-reduction-") as directory:
        binary = compare.build(programs.values(), pathlib.Path(directory), values_at_exit=True)
        check = functools.partial(
            reduction_compare.check, binary, count=given.reductions, bounded=given.bounded,
            extra=tuple(given.options.split()), divided=given.divided,
        )  # fmt: skip
        return list(zip(programs.values(), pool.map(check, range(len(programs)), programs.keys())))


def main():
    given = arguments()
    shard, shards = map(int, given.shard.split("/"))
    count = len(given.seeds)
    seeds = given.seeds[count * (shard - 1) // shards : count * shard // shards]
    begin = time.monotonic()
    results = []
    with concurrent.futures.ProcessPoolExecutor(compare.WORKERS) as pool:
        for first in range(0, len(seeds), BATCH):
            batch = check_batch(seeds[first : first + BATCH], given, pool)
            results += batch
            for program, checked in batch:
                if checked.problems:
                    show(program, checked, given.minimise)

    compared = [checked for _, checked in results if not checked.skipped]
    bad = sum(bool(checked.problems) for checked in compared)
    total = lambda name: sum((getattr(c, name) for c in compared), Counter())
    ways, runs, redundant = total("ways"), total("runs"), total("redundant")
    print(
        f"{len(compared)} programs, {bad} differ; {len(results) - len(compared)} were too long; "
        f"{ways.total()} comparisons, {len(ways)} ways, each at least {min(ways.values(), default=0)} times; "
        f"{sum(c.plain for c in compared)} plain executions, {sum(c.distinct for c in compared)} distinct; "
        f"{time.monotonic() - begin:.0f} s"
    )
    for sleep, count in sorted(runs.items()):
        print(f"  --sleep-sets {sleep}: {count} runs, {redundant[sleep]} of them redundant")
    return 0 if bad == 0 and len(compared) >= given.at_least else 1


if __name__ == "__main__":
    sys.exit(main())

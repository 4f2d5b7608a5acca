#!/usr/bin/env python3
"""Random programs of many kinds: searches that must cover the same do, and find what an independent
model of the program finds. See tests/fuzz/interpreter_compare.h for what is compared with what, and
tests/fuzz/generate.py for the programs.

By hand, with as many programs as you like, and every difference made small:
  HEDDLE_BIN_DIR=build/release/bin HEDDLE_SOURCE_DIR=. \\
      python3 tests/cli/fuzz_programs.py --seeds 1-100000 --minimise
"""

import argparse
import os
import pathlib
import sys
import tempfile
import time
from collections import Counter

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "fuzz"))
import driver
import estimate
import generate
import minimise
import model
import notation
import render

CHUNK = 2000  # programs that one process compares
# Programs by which mistakes were found: something that is copied onto itself; requests to cancel; a step that gives up
# or fails; an exchange that fails, and a load that comes late; descriptors whose numbers are given out again; files,
# by who touches them first (the last three together).
FOUND = [311821, 213629, 304757, 407773, 402326, 403266, 403346, 505566, 502186, 502266, 502406]

LOOPS = range(generate.FIRST_WITH_LOOPS, generate.FIRST_WITH_LOOPS + 16)


def range_of(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def arguments():
    parser = argparse.ArgumentParser(description="Compares searches of random programs.")
    parser.add_argument("--seeds", type=range_of, default=[*range(0, 60), *FOUND, *LOOPS], help="0-59, or one; from 10000000 on: retry loops")
    parser.add_argument("--theme", help="only programs of this theme: a part of its name")
    parser.add_argument("--ways", type=int, default=4, help="ways to reduce, of each program")
    parser.add_argument("--bounded", type=int, default=1, help="bounded orders, of each program")
    parser.add_argument("--subtrees", type=int, default=1, help="ways to hand out subtrees, of each program")
    parser.add_argument("--retries", type=int, default=1, help="ways to leave out rounds of retry loops, of each program")
    parser.add_argument("--limit", type=int, default=15000, help="programs with more executions are too long")
    parser.add_argument("--model", type=int, default=8, help="every so many-th program is compared with the model; 0: none")
    parser.add_argument("--compile", type=int, default=0, metavar="N", help="every so many-th is rendered and compiled")
    parser.add_argument("--minimise", action="store_true", help="make programs that differ small")
    parser.add_argument("--at-least", type=int, default=0, help="so many programs must be compared")
    return parser.parse_args()


class Tally:
    def __init__(self):
        self.compared, self.skipped, self.modelled, self.compiled = Counter(), Counter(), Counter(), Counter()
        self.comparisons = self.executions = 0
        self.differing = {}  # by seed

    def show(self, begin):
        for theme in [*generate.THEMES, *generate.LOOPS]:
            differing = sum(generate.theme_of(seed) == theme for seed in self.differing)
            print(
                f"  {theme}: {self.compared[theme]} programs, {differing} differ, {self.skipped[theme]} too long; "
                f"{self.modelled[theme]} with the model, {self.compiled[theme]} compiled"
            )
        total = self.compared.total()
        seconds = time.monotonic() - begin
        print(
            f"{total} programs, {len(self.differing)} differ; {self.skipped.total()} were too long; "
            f"{self.comparisons} comparisons, {self.executions} executions; {self.modelled.total()} compared "
            f"with the model, {self.compiled.total()} compiled; "
            f"{seconds:.0f} s, {1000 * seconds / max(1, total):.1f} ms for each program"
        )


def show_difference(seed, program, way, problem, interpreter, given):
    print(f"seed {seed}, {generate.theme_of(seed)}: {program}\n  {way}\n    {problem}", flush=True)
    if given.minimise:
        small = minimise.minimise(program, driver.still_differs(interpreter, way))
        print(f"  smallest: {small}", flush=True)


def every(seed, count):
    """Of each theme every so many-th program."""
    return count > 0 and seed // len(generate.TURNS) % count == 0


def check_chunk(seeds, interpreter, given, tally):
    programs = {}
    for seed in seeds:
        program = generate.program(seed)
        if notation.leaves_barrier_empty(program) or (estimate.schedules(program) or 0) > given.limit:
            tally.skipped[generate.theme_of(seed)] += 1
        else:
            programs[seed] = program
    seeds = list(programs)
    result = driver.compare(
        interpreter, list(map(str, programs.values())), given.ways, given.bounded, seeds[0] // 100, given.limit,
        subtrees=given.subtrees, retries=given.retries,
    )  # fmt: skip
    skipped = {seeds[i] for i in result.skipped}
    for seed in seeds:
        (tally.skipped if seed in skipped else tally.compared)[generate.theme_of(seed)] += 1
    tally.comparisons += result.comparisons
    tally.executions += result.executions
    for number, way, problem in result.differences:
        seed = seeds[number]
        if tally.differing.setdefault(seed, way) == way:  # one of each program is enough
            show_difference(seed, programs[seed], way, problem, interpreter, given)
    return {seed: program for seed, program in programs.items() if seed not in skipped}


def check_model(programs, interpreter, given, tally):
    """What the plain search finds is what the model finds."""
    some = {seed: p for seed, p in programs.items() if every(seed, given.model) and model.covers(p)}
    outcomes = driver.outcomes(interpreter, list(map(str, some.values())))
    for (seed, program), outcome in zip(some.items(), outcomes):
        if outcome is None:
            continue
        try:
            expected = model.outcomes(program)
        except model.Unknown:
            continue
        tally.modelled[generate.theme_of(seed)] += 1
        problem = driver.outcome_difference(expected, outcome)
        if problem and tally.differing.setdefault(seed, "model") == "model":
            print(f"seed {seed}, {generate.theme_of(seed)}: {program}\n  against the model\n    {problem}")
            if given.minimise:
                print(f"  smallest: {minimise.minimise(program, driver.differs_from_model(interpreter, model))}")
            sys.stdout.flush()


def check_compiled(programs, interpreter, given, tally):
    """A program that is compiled does what it does when it is interpreted."""
    seeds = [seed for seed, program in programs.items() if every(seed, given.compile) and render.covers(program)]
    some = [programs[seed] for seed in seeds]
    if not some:
        return
    for number, compiler, problem in driver.compiled_differences(interpreter, some, render.render, ("g++", "clang++")):
        seed = seeds[number]
        if tally.differing.setdefault(seed, compiler) == compiler:
            print(f"seed {seed}, {generate.theme_of(seed)}: {some[number]}\n  compiled with {compiler}\n    {problem}", flush=True)
    tally.compiled.update(map(generate.theme_of, seeds))


def main():
    given = arguments()
    begin = time.monotonic()
    tally = Tally()
    seeds = [seed for seed in given.seeds if not given.theme or given.theme in generate.theme_of(seed)]
    with tempfile.TemporaryDirectory(prefix="heddle-fuzz-", dir=driver.scratch()) as directory:
        interpreter = driver.build(pathlib.Path(directory))
        for first in range(0, len(seeds), CHUNK):
            chunk = seeds[first : first + CHUNK]
            programs = check_chunk(chunk, interpreter, given, tally)
            check_model(programs, interpreter, given, tally)
            check_compiled(programs, interpreter, given, tally)
    tally.show(begin)
    enough = tally.compared.total() >= given.at_least
    return 0 if enough and not tally.differing else 1


if __name__ == "__main__":
    sys.exit(main())

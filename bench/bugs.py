#!/usr/bin/env python3
"""After how many executions each strategy finds the bugs of bench/bugs.

A table: for each program and strategy, how many of the seeds found the bug, and the mean number of executions until then, over those
that did. The last line has the sums; a search that found nothing counts there with all executions that it made. What went wrong stands
below. Strategies take turns. With --aims only the programs that have an aim are searched, by auto, with ten seeds; a search that found
nothing counts with its executions. Called by `./dev bench bugs [OPTIONS]`, which sets HEDDLE_BIN_DIR. Exits with 1 if something went
wrong or an aim is missed.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "bugs"))
import suite

BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
AUTO_FACTOR = 4  # how many times the executions of another strategy auto may make
AIM_SEEDS = 10
# What a run may take beyond the time of its search: to start, and to run its failure again for the report.
GRACE = 60.0


@dataclass
class Run:
    """One search; `executions` are those until the bug, or all."""
    found: bool = False
    executions: int = 0
    problem: str = ""
    refused: bool = False  # heddle does not take the options


def search(built, program, strategy, seed, executions, seconds):
    with tempfile.TemporaryDirectory() as out:
        command = [BIN / "heddle", "run", "--quiet", "--json", "-", "--out", out, "--strategy", strategy, "--seed", seed,
                   "--executions", executions, "--seconds", f"{seconds:g}", *program.options, built]
        try:
            ran = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                 errors="replace", cwd=out, timeout=seconds + GRACE)
        except subprocess.TimeoutExpired:
            return Run(problem=f"no end after {seconds + GRACE:g} seconds")
    if ran.returncode not in (0, 1):
        return Run(problem=f"exit code {ran.returncode}: {ran.stderr.strip()}", refused=ran.returncode == 2)
    report = json.loads(ran.stdout)
    if not report["failures"]:
        problem = "the search is complete, and there is no bug" if report["coverage"]["complete"] else ""
        return Run(executions=report["executions"], problem=problem)
    failure = report["failures"][0]
    if failure["kind"] != program.kind:
        return Run(executions=report["executions"], problem=f"not the bug: {failure['kind']}: {failure['message']}")
    return Run(True, failure["execution"])


def mean_of(runs):
    """Over those that found the bug."""
    found = [run.executions for run in runs if run.found]
    return f"{statistics.mean(found):,.1f}" if found else "-"


def found_of(runs):
    return f"{sum(run.found for run in runs)}/{len(runs)}"


def print_columns(lines):
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        right = [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]
        print("  ".join(["", line[0].ljust(widths[0]), *right]).rstrip())


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.problems = []

    def tell(self, text):
        print(text, file=sys.stderr, flush=True)

    def programs(self):
        chosen = [program for program in suite.programs() if re.search(self.options.filter, program.name)]
        if self.options.aims:
            chosen = [program for program in chosen if program.aim]
        if not chosen:
            sys.exit(f"there is no program {self.options.filter}; there are {', '.join(p.name for p in suite.programs())}")
        return chosen

    def strategies(self, program):
        """Those of the options that heddle knows."""
        built = program.compile(self.folder)
        known = []
        for strategy in ["auto"] if self.options.aims else self.options.strategies.split(","):
            probed = search(built, program, strategy, 1, 1, 10)
            if probed.refused:
                self.problems.append(f"{strategy}: {probed.problem}")
            else:
                known.append(strategy)
        return known

    def measure(self, program, strategies):
        """The runs of each strategy."""
        built = program.compile(self.folder)
        runs = {strategy: [] for strategy in strategies}
        for seed in range(1, self.options.seeds + 1):
            for strategy in strategies:
                executions = self.options.executions * (AUTO_FACTOR if strategy == "auto" else 1)
                run = search(built, program, strategy, seed, executions, self.options.seconds)
                runs[strategy].append(run)
                if run.problem:
                    self.problems.append(f"{program.name}, {strategy}, seed {seed}: {run.problem}")
        built.unlink()
        self.tell(", ".join([program.name, *(f"{strategy} {found_of(runs[strategy])} {mean_of(runs[strategy])}"
                                             for strategy in strategies)]))
        return runs

    def table(self):
        programs = self.programs()
        strategies = self.strategies(programs[0])
        lines = [["program", *(title for strategy in strategies for title in (strategy, "executions"))]]
        all_runs = {strategy: [] for strategy in strategies}
        for program in programs:
            runs = self.measure(program, strategies)
            lines.append([program.name, *(cell for strategy in strategies
                                          for cell in (found_of(runs[strategy]), mean_of(runs[strategy])))])
            for strategy in strategies:
                all_runs[strategy] += runs[strategy]
        lines.append([f"all {len(programs)}"])
        for runs in all_runs.values():
            lines[-1] += [found_of(runs), f"{sum(run.executions for run in runs):,}"]
        print(f"How many of {self.options.seeds} seeds found the bug, in at most {self.options.executions:,} executions "
              f"({AUTO_FACTOR} times as many with auto) and {self.options.seconds:g} seconds;\n"
              "mean executions until then. Last line: all executions, those of searches without a result too")
        print_columns(lines)

    def aims(self):
        programs = self.programs()
        strategies = self.strategies(programs[0])
        lines = [["program", "found", "executions", "aim", ""]]
        missed = 0
        for program in programs:
            runs = self.measure(program, strategies)["auto"]
            mean = statistics.mean(run.executions for run in runs)
            is_met = all(run.found for run in runs) and mean <= program.aim
            missed += not is_met
            lines.append([program.name, found_of(runs), f"{mean:,.1f}", f"{program.aim}", "met" if is_met else "missed"])
        print(f"Mean executions of auto until the bug, of {self.options.seeds} seeds")
        print_columns(lines)
        print(f"{len(programs) - missed} of {len(programs)} aims are met")
        return missed


def main():
    parser = argparse.ArgumentParser(prog="./dev bench bugs", description="Executions until the bugs of small programs are found.")
    parser.add_argument("--strategies", default="auto,random", metavar="A,B,C", help="default: auto,random")
    parser.add_argument("--seeds", type=int, metavar="N", help=f"default: 3; {AIM_SEEDS} with --aims")
    parser.add_argument("--executions", type=int, default=10000, metavar="N",
                        help=f"budget of a search, {AUTO_FACTOR} times as many for auto (default: 10000)")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S", help="the longest search (default: 20)")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only programs in whose names it is found")
    parser.add_argument("--aims", action="store_true", help="only programs that have an aim, and whether it is met")
    options = parser.parse_args()
    options.seeds = options.seeds or (AIM_SEEDS if options.aims else 3)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        missed = bench.aims() if options.aims else bench.table()
    print("\n".join(bench.problems), end="\n" if bench.problems else "")
    return 1 if bench.problems or missed else 0


if __name__ == "__main__":
    sys.exit(main())

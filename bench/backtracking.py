#!/usr/bin/env python3
"""Randomised backtracking after its paper (SPIN 2011): states processed until an error is found, on the programs of bench/backtracking.

Prints tables 2 to 5 of the paper, ours beside theirs. A configuration (H, jump, ratio) is run with one seed after another until 10 runs
have found the error or 100 were made. The other techniques, which process all states unless they find the error: default order, random
order, thread interleavings, and default order with bounds on preemptions. Called by `./dev bench backtracking [OPTIONS]`, which sets
HEDDLE_BIN_DIR. Exits with 1 if something went wrong.
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE / "backtracking"
sys.path.insert(0, str(FOLDER))
import paper

BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
THRESHOLDS = [5, 10, 20, 50, 100]
RATIOS = ["0.5", "0.75", "0.9", "0.99", "1-d/20", "1-d/50", "1-d/100", "1-d/1000"]
JUMPS = ["fixed", "random", "luby"]
QUICK_THRESHOLDS = [10, 50]
QUICK_RATIOS = ["0.9", "1-d/100"]
QUICK_RUNS = 5
KINDS = ["assertion", "exception"]
# What a run may take beyond the time of its search: to start, and to run its failure again for the report.
GRACE = 60.0


@dataclass
class Configuration:
    name: str
    options: list
    threshold: int = 0  # 0: another technique
    jump: str = ""
    ratio: str = ""
    by_chance: bool = True


@dataclass
class Run:
    found: bool
    states: int
    depth: int


@dataclass
class Result:
    """The runs of a configuration on a program."""
    configuration: Configuration
    runs: list = field(default_factory=list)

    def found(self):
        return [run for run in self.runs if run.found]

    @property
    def share(self):
        """In percent."""
        return 100.0 * len(self.found()) / len(self.runs) if self.runs else 0.0

    def states(self):
        return [run.states for run in self.found()]

    def row(self):
        states = self.states()
        if not states:
            return paper.Row(self.configuration.name, found=0)
        return paper.Row(self.configuration.name, statistics.mean(states), min(states), max(states), statistics.pstdev(states),
                         self.share)


def exhaustive(name, *options, by_chance=False):
    return Configuration(name, [*options, "--threshold", "0", "--jump", "fixed", "--ratio", "1"], by_chance=by_chance)


TECHNIQUES = [
    exhaustive("default order", "--backtrack-order", "default"),
    exhaustive("random order", "--backtrack-order", "random", by_chance=True),
    exhaustive("thread interleavings", "--backtrack-order", "switch"),
    *(exhaustive(f"context bound {bound}", "--backtrack-order", "default", "--preemptions", str(bound)) for bound in (2, 5, 10)),
]


def backtracking(thresholds, ratios):
    for threshold, jump, ratio in itertools.product(thresholds, JUMPS, ratios):
        options = ["--threshold", str(threshold), "--jump", jump, "--ratio", ratio, "--backtrack-order", "default"]
        yield Configuration(f"({threshold}, {jump}, {ratio})", options, threshold, jump, ratio)


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)
        self.problems = []
        self.results = {}  # name of a program to its results

    def tell(self, text):
        print(text, file=sys.stderr, flush=True)

    def programs(self):
        """(name, source) in the order of the paper."""
        found = {}
        for source in FOLDER.glob("*.cc"):
            name = re.search(r"^// program: (.+)$", source.read_text(), re.MULTILINE)[1]
            found[name] = source
        chosen = [(name, found[name]) for name in paper.THREADS if re.search(self.options.filter, name)]
        if not chosen:
            sys.exit(f"there is no program {self.options.filter}; there are {', '.join(paper.THREADS)}")
        return chosen

    def build(self, source):
        program = self.folder / source.stem
        command = [BIN / "heddle-c++", "-std=c++20", "-O1", "-g", source, "-o", program]
        subprocess.run([str(word) for word in command], check=True, stdin=subprocess.DEVNULL)
        return program

    def search(self, program, configuration, seed):
        """A run; None, and a problem, if there is no result."""
        seconds = self.options.seconds
        command = [BIN / "heddle", "run", "--quiet", "--json", "-", "--out", self.folder, "--strategy", "backtrack", "--match", "on",
                   "--seed", seed, "--seconds", f"{seconds:g}", *configuration.options, program]
        what = f"{program.name}, {configuration.name}, seed {seed}"
        try:
            ran = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                 errors="replace", cwd=self.folder, timeout=seconds + GRACE)
        except subprocess.TimeoutExpired:
            self.problems.append(f"{what}: no end after {seconds + GRACE:g} seconds")
            return None
        if ran.returncode == 2:
            sys.exit(f"{' '.join(str(word) for word in command)}\n{ran.stderr}")
        if ran.returncode not in (0, 1):
            self.problems.append(f"{what}: exit code {ran.returncode}: {ran.stderr.strip()}")
            return None
        report = json.loads(ran.stdout)
        matching, failures = report["matching"], report["failures"]
        if failures and failures[0]["kind"] not in KINDS:
            self.problems.append(f"{what}: not the error: {failures[0]['kind']}: {failures[0]['message']}")
            return None
        return Run(bool(failures), matching["states"], matching["depth"] if failures else 0)

    def measure(self, program, configuration):
        """Until enough runs have found the error."""
        enough, most = (QUICK_RUNS, QUICK_RUNS) if self.options.quick else (10, 100)
        if not configuration.by_chance:
            most = 1
        result = Result(configuration)
        for seed in range(1, most + 1):
            run = self.search(program, configuration, seed)
            if run:
                result.runs.append(run)
            if len(result.found()) == enough:
                break
        row = result.row()
        states = "-" if row.mean is None else f"{row.mean:,.0f} states"
        self.tell(f"{program.name}, {configuration.name}: {len(result.found())} of {len(result.runs)}, {states}")
        return result

    def run(self):
        quick = self.options.quick
        configurations = [*TECHNIQUES, *backtracking(QUICK_THRESHOLDS if quick else THRESHOLDS, QUICK_RATIOS if quick else RATIOS)]
        for name, source in self.programs():
            program = self.build(source)
            self.results[name] = [self.measure(program, configuration) for configuration in configurations]


def best(results, least_share):
    """The one with the lowest mean, of those in which so many percent of the runs find the error."""
    fit = [result for result in results if result.found() and result.share >= least_share]
    return min(fit, key=lambda result: statistics.mean(result.states()), default=None)


def split(results):
    return ([result for result in results if not result.configuration.threshold],
            [result for result in results if result.configuration.threshold])


def recommended(results):
    """(H, random, 0.9), by threshold."""
    return {result.configuration.threshold: result for result in results
            if result.configuration.jump == "random" and result.configuration.ratio == "0.9"}


def table_2(results):
    techniques, configurations = split(results)
    sure, likely = best(configurations, 100), best(configurations, 50)
    rows = [techniques[0], best(techniques[1:], 100), sure]
    return [*rows, likely] if likely is not sure else rows


def table_3(results):
    _, configurations = split(results)
    likely = [result for result in configurations if result.found() and result.share >= 50]
    return [min(likely, key=lambda result: min(result.states()), default=None),
            max(likely, key=lambda result: max(result.states()), default=None),
            min(configurations, key=lambda result: result.share)]


def table_4(results):
    techniques, configurations = split(results)
    kind = list(recommended(configurations).values())
    return [best(techniques, 100), best(configurations, 50), best(kind, 100) or best(kind, 50)]


def cells_of(row):
    if row is None:
        return ["none", *[""] * 5]
    if row.mean is None:
        return [row.configuration, *["-"] * 4, "0 %"]
    numbers = [f"{number:,.0f}" for number in (row.mean, row.least, row.most, row.deviation)]
    return [row.configuration, *numbers, f"{row.found:.0f} %"]


def print_columns(lines, left):
    """Lines of one cell are headings; the cells in `left` go to the left of their columns."""
    widths = [max(map(len, column)) for column in zip(*(line for line in lines if len(line) > 1))]
    for line in lines:
        if len(line) == 1:
            print(line[0])
            continue
        cells = [cell.ljust(width) if i in left else cell.rjust(width) for i, (cell, width) in enumerate(zip(line, widths))]
        print("  ".join(["", *cells]).rstrip())


def print_rows(title, all_results, choose, theirs):
    titles = ["mean", "least", "most", "dev.", "found"]
    lines = [["configuration", *titles, "in the paper", *titles]]
    for name, results in all_results.items():
        lines.append([name])
        rows = [result and result.row() for result in choose(results)]
        for ours, other in itertools.zip_longest(rows, theirs[name]):
            cells = cells_of(ours) if ours or not other else [""] * 6
            lines.append([*cells, *(cells_of(other) if other else [""] * 6)])
    print(f"\n{title}")
    print_columns(lines, left={0, 6})


def text_of(number, form=".0f", unit=""):
    return "-" if number is None else f"{number:,{form}}{unit}"


def threshold_of(result):
    if not result.found():
        return paper.Threshold()
    depths = [run.depth for run in result.found()]
    return paper.Threshold(statistics.mean(result.states()), statistics.mean(depths), statistics.pstdev(depths), result.share)


def print_table_5(all_results):
    lines = [["H", "states", "depth", "dev.", "found", "in the paper", "depth", "dev.", "found"]]
    for name, results in all_results.items():
        lines.append([name])
        for threshold, result in recommended(results).items():
            line = [str(threshold)]
            for column in (threshold_of(result), paper.TABLE_5[name][threshold]):
                line += [text_of(column.states), text_of(column.depth), text_of(column.deviation, ".1f"),
                         text_of(column.found, ".0f", " %")]
            lines.append(line)
    print("\nTable 5: (H, random, 0.9) with different thresholds H; states processed, and the depth of the error")
    print_columns(lines, left={})


def main():
    parser = argparse.ArgumentParser(prog="./dev bench backtracking", description="Tables 2 to 5 of the paper on randomised backtracking.")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only programs in whose names it is found")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="the longest search (default: 60)")
    parser.add_argument("--quick", action="store_true", help=f"fewer configurations, and at most {QUICK_RUNS} runs of each")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        bench.run()
    print("States processed until the error, over the runs that found it, and how many did")
    print_rows("Table 2: default order, the best other technique, the best configuration with which all runs find the error, and the\n"
               "best with which half of them do, if it is better", bench.results, table_2, paper.TABLE_2)
    print_rows("Table 3: the configurations of the runs with the fewest and with the most states, and the one that finds least",
               bench.results, table_3, paper.TABLE_3)
    print_rows("Table 4: the best other technique, the best configuration, and the best (H, random, 0.9)",
               bench.results, table_4, paper.TABLE_4)
    print_table_5(bench.results)
    print("\n".join(bench.problems), end="\n" if bench.problems else "")
    return 1 if bench.problems else 0


if __name__ == "__main__":
    sys.exit(main())

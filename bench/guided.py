#!/usr/bin/env python3
"""Guided search after its paper (HVC 2008): whether an error is found, and after how many states, on the programs of bench/guided.

Prints tables 1 and 2 of the paper, ours beside theirs, and what figure 6 shows: random depth-first search, and the search along places
(--strategy guide) with each of its ways toward the next one. A trial is a search with a seed of its own. Called by `./dev bench guided
[OPTIONS]`, which sets HEDDLE_BIN_DIR. Exits with 1 if something went wrong, if a trial by distance does not find the error, or if these
need more states on average than those by chance or by preferred threads.
"""

import argparse
import concurrent.futures
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
FOLDER = HERE / "guided"
sys.path.insert(0, str(FOLDER))
import paper

BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
TECHNIQUES = ["random DFS", "distance", "random", "prefer"]
# Every state is processed unless the error is found before, the successors of one in random order.
RANDOM_DFS = ["--strategy", "backtrack", "--match", "on", "--backtrack-order", "random", "--threshold", "0", "--jump", "fixed",
              "--ratio", "1"]
# Of AryList, which places make a sequence of 1, 2, … places: those that matter most come first.
FIGURE_6 = [[3], [3, 4], [3, 4, 6], [3, 4, 5, 6], [1, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]]
FIGURE_6_PROGRAM = "AryList(1,10)"
# What a run may take beyond the time of its search: to start, and to run its failure again for the report.
GRACE = 120.0


@dataclass
class Source:
    path: pathlib.Path
    places: dict  # number to place, as --through wants it
    kinds: list  # of failures that are the error
    prefer: str  # the threads that are preferred: "first" or "second"


@dataclass
class Trials:
    states: list = field(default_factory=list)  # of those that found the error
    made: int = 0

    @property
    def density(self):
        return len(self.states) / self.made if self.made else 0.0

    def figures(self):
        """Least, average, most."""
        return (min(self.states), statistics.mean(self.states), max(self.states)) if self.states else None


def sources():
    """By the paper's names."""
    found = {}
    for path in sorted(FOLDER.glob("*.cc")):
        text = path.read_text()
        of = lambda key: re.search(rf"^// {key}: (.+)$", text, re.MULTILINE)[1]
        places = {int(match[1]): f"{path.name}:{number}{match[2]}" for number, line in enumerate(text.splitlines(), 1)
                  if (match := re.search(r"// place: (\d+)(@\d+|)$", line))}
        kinds = of("bug").split(":")[0].split(", ")
        found[of("program")] = Source(path, places, kinds, of("prefer"))
    return found


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)
        self.sources = sources()
        self.problems = []
        self.results = {}  # name of a program to {technique: Trials}
        self.lengths = []  # of figure 6: Trials for each length

    def tell(self, text):
        print(text, file=sys.stderr, flush=True)

    def build(self, name):
        kind, first, second = re.fullmatch(r"(\w+)\((\d+),(\d+)\)", name).groups()
        source = self.sources[kind]
        program = self.folder / f"{kind}-{first}-{second}"
        command = [BIN / "heddle-c++", "-std=c++20", "-O1", "-g", f"-DFIRST={first}", f"-DSECOND={second}", source.path, "-o", program]
        subprocess.run([str(word) for word in command], check=True, stdin=subprocess.DEVNULL)
        first_kind = range(1, int(first) + 1)
        second_kind = range(int(first) + 1, int(first) + int(second) + 1)
        prefer = first_kind if source.prefer == "first" else second_kind
        return program, source, ",".join(map(str, prefer))

    def words_of(self, technique, source, prefer, places=None):
        if technique == "random DFS":
            return RANDOM_DFS
        numbers = places or sorted(source.places)
        through = ",".join(source.places[number] for number in numbers)
        toward = f"prefer:{prefer}" if technique == "prefer" else technique
        return ["--strategy", "guide", "--through", through, "--toward", toward]

    def trial(self, program, source, words, seed):
        """The states until the error; None: it was not found, or, with a problem, there is no result."""
        command = [BIN / "heddle", "run", "--quiet", "--json", "-", "--out", self.folder / f"out-{program.name}-{seed}", "--races",
                   "ignore", "--seed", seed, "--seconds", f"{self.options.seconds:g}", *words, program]
        shown = " ".join(str(word) for word in command)
        try:
            ran = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                 errors="replace", cwd=self.folder, timeout=self.options.seconds + GRACE)
        except subprocess.TimeoutExpired:
            self.problems.append(f"{shown}: no end after {self.options.seconds + GRACE:g} seconds")
            return None
        if ran.returncode not in (0, 1):
            self.problems.append(f"{shown}: exit code {ran.returncode}: {ran.stderr.strip()}")
            return None
        report = json.loads(ran.stdout)
        if not report["failures"]:
            return None
        failure = report["failures"][0]
        if failure["kind"] not in source.kinds:
            self.problems.append(f"{shown}: not the error: {failure['kind']}: {failure['message']}")
            return None
        return (report["guided"] or report["matching"])["states"]

    def trials(self, name, technique, built, places=None):
        program, source, prefer = built
        words = self.words_of(technique, source, prefer, places)
        all_of_them = Trials()
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            seeds = range(1, self.options.trials + 1)
            for states in pool.map(lambda seed: self.trial(program, source, words, seed), seeds):
                all_of_them.made += 1
                if states is not None:
                    all_of_them.states.append(states)
        what = f"{len(places)} places" if places else technique
        self.tell(f"{name}, {what}: density {all_of_them.density:.2f}, {states_text(all_of_them.figures())}")
        return all_of_them

    def run(self):
        names = [name for name in dict.fromkeys([*paper.TABLE_1, *paper.TABLE_2]) if re.search(self.options.filter, name)]
        if not names:
            sys.exit(f"there is no program {self.options.filter}; there are {', '.join(paper.TABLE_1)}")
        for name in names:
            built = self.build(name)
            techniques = TECHNIQUES if name in paper.TABLE_1 else TECHNIQUES[1:]
            self.results[name] = {technique: self.trials(name, technique, built) for technique in techniques}
            self.judge(name)
            if name == FIGURE_6_PROGRAM:
                self.lengths = [self.trials(name, "distance", built, places) for places in FIGURE_6]

    def judge(self, name):
        by = self.results[name]
        if by["distance"].density < 1:
            self.problems.append(f"{name}: density {by['distance'].density:.2f} by distance")
        ours = by["distance"].figures()
        for other in ("random", "prefer"):
            theirs = by[other].figures()
            if ours and theirs and ours[1] > theirs[1]:
                self.problems.append(f"{name}: by distance {ours[1]:,.0f} states on average, {other}: {theirs[1]:,.0f}")


def states_text(figures):
    return "-" if figures is None else " / ".join(f"{number:,.0f}" for number in figures)


def print_columns(title, lines):
    """The first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines)]
    print(f"\n{title}")
    for line in lines:
        cells = [cell.rjust(width) if i else cell.ljust(width) for i, (cell, width) in enumerate(zip(line, widths))]
        print("  ".join(["", *cells]).rstrip())


def print_tables(bench):
    lines = [["", *TECHNIQUES, "in the paper:", *TECHNIQUES[1:]]]
    for name, theirs in paper.TABLE_1.items():
        if name in bench.results:
            ours = bench.results[name]
            lines.append([name, *(f"{ours[technique].density:.2f}" for technique in TECHNIQUES), *(f"{one:.2f}" for one in theirs)])
    print_columns("Table 1: error density", lines)
    lines = [["", *TECHNIQUES[1:], "in the paper:", *TECHNIQUES[2:]]]
    for name, theirs in paper.TABLE_2.items():
        if name in bench.results:
            ours = [bench.results[name][technique].figures() for technique in TECHNIQUES[1:]]
            lines.append([name, *map(states_text, ours), *map(states_text, theirs)])
    print_columns("Table 2: states until the error: least / average / most", lines)
    if bench.lengths:
        lines = [["places", "density", "states"]]
        lines += [[str(length), f"{trials.density:.2f}", states_text(trials.figures())] for length, trials in enumerate(bench.lengths, 1)]
        print_columns(f"Figure 6: {FIGURE_6_PROGRAM}, by distance; in the paper the average drops sharply from one place to two, a\n"
                      "little from two to three, and hardly afterwards", lines)


def main():
    parser = argparse.ArgumentParser(prog="./dev bench guided", description="Tables 1 and 2, and figure 6, of the paper on guided search.")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only programs in whose names it is found")
    parser.add_argument("--trials", type=int, default=100, metavar="N", help="of each technique on each program (default: 100)")
    parser.add_argument("--seconds", type=float, default=2.0, metavar="S", help="the longest trial (default: 2; the paper: an hour)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="trials at a time")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        bench.run()
    print(f"{options.trials} trials each, of {options.seconds:g} seconds at most (the paper: 100, of an hour)")
    print_tables(bench)
    print("\n".join(["", *bench.problems]) if bench.problems else "", end="\n" if bench.problems else "")
    return 1 if bench.problems else 0


if __name__ == "__main__":
    sys.exit(main())

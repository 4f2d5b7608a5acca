#!/usr/bin/env python3
"""The time to find each seeded bug of bench/gambit, for each order of the search: table 2 of the GAMBIT paper, on C++.

Two tables, seconds and executions to the bug. The columns are depth-first search and three orders of best-first search, without a
bound under partial-order reduction, and with at most two preemptions. A dash: not found in the time of a cell; `all`: the search was
complete, and the bug was not there. An order by chance has the average of its seeds, and in brackets the least and the most. The
totals take what was not found for the whole time of a cell. A third table is for the tests that name methods to focus on (the
paper's section 5.3). What went wrong stands below. Called by `./dev bench gambit [OPTIONS]`, which sets HEDDLE_BIN_DIR.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "gambit"))
import suite

BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
REDUCED = ["--reduce", "dpor"]
BOUNDED = ["--preemptions", "2"]
BEST_FIRST = ["--strategy", "best-first"]
# What a run may take beyond the time of its search: to start, and to run its failure again for the report.
GRACE = 60.0


@dataclass
class Column:
    group: str
    title: str
    options: list
    by_chance: bool = False


COLUMNS = [
    Column("DPOR", "depth-first", ["--strategy", "dfs", *REDUCED]),
    Column("DPOR", "pb", [*BEST_FIRST, *REDUCED, "--order", "pb"]),
    Column("DPOR", "mdpor,pb", [*BEST_FIRST, *REDUCED, "--order", "mdpor,pb"]),
    Column("DPOR", "rand", [*BEST_FIRST, *REDUCED, "--order", "rand"], by_chance=True),
    Column("2 preemptions", "depth-first", ["--strategy", "dfs", *BOUNDED]),
    Column("2 preemptions", "ss,dpor", [*BEST_FIRST, *BOUNDED, "--order", "ss,dpor"]),
    Column("2 preemptions", "ss,mdpor", [*BEST_FIRST, *BOUNDED, "--order", "ss,mdpor"]),
    Column("2 preemptions", "rand", [*BEST_FIRST, *BOUNDED, "--order", "rand"], by_chance=True),
]


@dataclass
class Run:
    """One search. `word` is what stands in the table where the bug was not found."""
    seconds: float = 0.0
    executions: int = 0
    found: bool = False
    word: str = "-"
    problem: str = ""


@dataclass
class Row:
    bug: suite.Bug
    program: pathlib.Path
    runs: dict = field(default_factory=dict)  # (column, seed) to Run


def search(program, bug, options, seconds):
    command = [BIN / "heddle", "run", "--quiet", "--json", "-", "--seconds", f"{seconds:g}", *options, program]
    try:
        ran = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True,
                             cwd=program.parent, timeout=seconds + GRACE)
    except subprocess.TimeoutExpired:
        return Run(word="hangs", problem=f"no end after {seconds + GRACE:g} seconds")
    if ran.returncode not in (0, 1):
        return Run(word=f"exit {ran.returncode}", problem=ran.stderr.decode(errors="replace").strip())
    try:
        report = json.loads(ran.stdout)
    except ValueError as error:
        return Run(word="no JSON", problem=f"{error}: {ran.stdout[:200]}")
    if not report["failures"]:
        return Run(report["seconds"], report["executions"], word="all" if report["coverage"]["complete"] else "-")
    failure = report["failures"][0]
    if failure["kind"] != bug.kind:
        return Run(report["seconds"], report["executions"], word=failure["kind"],
                   problem=f"not the seeded bug: {failure['kind']}: {failure['message']}")
    return Run(report["seconds"], failure["execution"], found=True)


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.problems = []
        self.refused = {}  # title of a set of options that heddle does not take, to its message

    def tell(self, text):
        print(text, file=sys.stderr, flush=True)

    def chosen(self):
        bugs = [bug for test in suite.tests() for bug in test.bugs]
        only = self.options.only
        if only:
            bugs = [bug for bug in bugs if any(name in (bug.name, bug.test.name, bug.test.library) for name in only)]
            if not bugs:
                sys.exit(f"there is no test {', '.join(only)}; there are {', '.join(t.name for t in suite.tests())}")
        return bugs

    def build(self, bugs, workers):
        self.tell(f"building {len(bugs)} programs")
        programs = workers.map(lambda bug: bug.test.compile(self.folder, bug.number), bugs)
        return [Row(bug, program) for bug, program in zip(bugs, programs)]

    def probe(self, row, title, options):
        """Whether heddle takes these options at all."""
        probed = search(row.program, row.bug, [*options, "--executions", "1"], 10)
        if probed.word == "exit 2":
            self.refused[title] = probed.problem
            self.problems.append(f"{title}: {probed.problem}")

    def measure(self, row, title, options):
        run = search(row.program, row.bug, options, self.options.seconds)
        told = f"{run.executions} executions, {run.seconds:.2f} s" if run.found else run.word
        self.tell(f"{row.bug.name}, {title}: {told}")
        if run.problem:
            self.problems.append(f"{row.bug.name}, {title}: {run.problem}")
        return run

    def seeds_of(self, column):
        return range(1, self.options.seeds + 1) if column.by_chance else [None]

    def fill(self, rows, workers):
        jobs = []
        for column in COLUMNS:
            title = f"{column.group} {column.title}"
            self.probe(rows[0], title, column.options)
            if title in self.refused:
                continue
            for row in rows:
                for seed in self.seeds_of(column):
                    seeded = column.options + (["--seed", str(seed)] if seed else [])
                    told = title + (f", seed {seed}" if seed else "")
                    job = workers.submit(self.measure, row, told, seeded)
                    jobs.append((row, column, seed, job))
        for row, column, seed, job in jobs:
            row.runs[column.group, column.title, seed] = job.result()

    def runs_of(self, row, column):
        return [row.runs.get((column.group, column.title, seed)) for seed in self.seeds_of(column)]

    def cell(self, row, column, value_of):
        runs = self.runs_of(row, column)
        if None in runs:
            return "n/a"
        if not column.by_chance:
            return value_of(runs[0]) if runs[0].found else runs[0].word
        found = [run for run in runs if run.found]
        if not found:
            return runs[0].word
        values = [getattr(run, value_of.field) for run in found]
        most = value_of.words(max(values)) if len(found) == len(runs) else "-"
        average = value_of.words(sum(values) / len(values)) if len(found) == len(runs) else f"{len(found)}/{len(runs)}"
        return f"{average} ({value_of.words(min(values))}..{most})"

    def total_seconds(self, rows, column):
        runs = [self.runs_of(row, column) for row in rows]
        if any(None in seeds for seeds in runs):
            return "n/a"
        spent = [run.seconds if run.found else self.options.seconds for seeds in runs for run in seeds]
        return f"{sum(spent) / len(runs[0]):.1f}"

    def total_found(self, rows, column):
        runs = [self.runs_of(row, column) for row in rows]
        if any(None in seeds for seeds in runs):
            return "n/a"
        found = sum(run.found for seeds in runs for run in seeds)
        return f"{found}" if not column.by_chance else f"{found / len(runs[0]):.1f}"

    def print_table(self, title, rows, value_of):
        lines = [["test", "bug", "steps", *(column.title for column in COLUMNS)]]
        for row in rows:
            cells = [self.cell(row, column, value_of) for column in COLUMNS]
            lines.append([row.bug.name, row.bug.kind, f"{row.bug.test.steps:,}", *cells])
        lines.append(["total seconds", "", "", *(self.total_seconds(rows, column) for column in COLUMNS)])
        lines.append(["bugs found", "", f"of {len(rows)}", *(self.total_found(rows, column) for column in COLUMNS)])
        print_columns(title, lines, groups=["", "", "", *(column.group for column in COLUMNS)])

    def focus(self, rows, workers):
        """The tests that name methods: best-first search that prefers switches in both, or in one of them."""
        rows = [row for row in rows if row.bug.test.focus]
        if not rows:
            return
        options = [*BEST_FIRST, *REDUCED, "--order", "method", "--focus-method"]
        self.probe(rows[0], "DPOR method", [*options, rows[0].bug.test.focus[0]])
        if "DPOR method" in self.refused:
            return
        lines = [["test", "methods", "executions", "seconds"]]
        for row in rows:
            methods = row.bug.test.focus
            ways = [",".join(methods), *methods] if len(methods) > 1 else methods
            runs = workers.map(lambda way: self.measure(row, f"DPOR method {way}", [*options, way]), ways)
            for way, run in zip(ways, runs):
                lines.append([row.bug.name, way, *((EXECUTIONS(run), SECONDS(run)) if run.found else (run.word, run.word))])
        print_columns("Best-first under DPOR with --order method", lines)

    def run(self):
        bugs = self.chosen()
        with concurrent.futures.ThreadPoolExecutor(self.options.at_once) as workers:
            rows = self.build(bugs, workers)
            self.fill(rows, workers)
            self.print_table("Seconds to the bug", rows, SECONDS)
            self.print_table("Executions to the bug", rows, EXECUTIONS)
            self.focus(rows, workers)
        if self.problems:
            print("\nProblems:")
            for problem in self.problems:
                print(f"  {problem}")


class Value:
    """What a table shows of a run."""

    def __init__(self, field, words):
        self.field = field
        self.words = words

    def __call__(self, run):
        return self.words(getattr(run, self.field))


SECONDS = Value("seconds", lambda value: f"{value:.2f}" if value < 10 else f"{value:.1f}")
EXECUTIONS = Value("executions", lambda value: f"{value:,.0f}")


def print_columns(title, lines, groups=None):
    """Words to the left, numbers to the right; groups are named above their first column."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    left = [all(not line[i][:1].isdigit() for line in lines[1:]) for i in range(len(widths))]
    print(f"\n{title}")
    if groups:
        heads = ["" if i and groups[i] == groups[i - 1] else group for i, group in enumerate(groups)]
        text = ""
        for i, head in enumerate(heads):
            begin = sum(widths[:i]) + 2 * (i + 1)
            text = text.ljust(begin) + head if head else text
        print(text)
    for line in lines:
        cells = [cell.ljust(width) if to_left else cell.rjust(width) for cell, width, to_left in zip(line, widths, left)]
        print("  " + "  ".join(cells).rstrip())


def main():
    parser = argparse.ArgumentParser(prog="./dev bench gambit", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="for each search (default: 60)")
    parser.add_argument("--seeds", type=int, default=10, metavar="N", help="of the orders by chance (default: 10)")
    parser.add_argument("--only", action="append", metavar="NAME", help="this test, bug (NQueens#3) or library alone; may be repeated")
    parser.add_argument("--at-once", type=int, default=1, metavar="N", help="searches that run beside each other (default: 1)")
    options = parser.parse_args()
    if options.seconds <= 0 or options.seeds < 1 or options.at_once < 1:
        parser.error("seconds, seeds and searches at once are positive numbers")
    with tempfile.TemporaryDirectory(prefix="heddle-gambit-") as folder:
        Bench(options, pathlib.Path(folder)).run()


main()

#!/usr/bin/env python3
"""Fair scheduling, measured as in the paper (Musuvathi and Qadeer, Fair Stateless Model Checking): figure 2, tables 2 and 3, and a large program.

The programs are ours (bench/fair, tests/programs/fair), with other steps than the paper's, so that the numbers can be compared in kind,
not in size; the paper's stand beside them. Called by `./dev bench fair [OPTIONS]`, which sets HEDDLE_BIN_DIR and HEDDLE_SOURCE_DIR.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "tests" / "oracle"))
import fair
import fair_models

DEPTHS = [20, 30, 40, 50, 60]
BOUNDS = [1, 2, 3, None]
# What a search may take beyond its time: to start, and to run its failure again for the report.
GRACE = 60.0

# Table 2 of the paper, for each configuration and search: total states, with fairness, without it by depth bound.
PAPER_TABLE_2 = {
    ("philosophers", 2): ["27 27 27 27 27 27 27", "28 28 28 28 28 28 28", "29 29 29 29 29 29 29", "29 29 29 29 29 29 29"],
    ("philosophers", 3): ["102 102 102 102 102 102 102", "144 144 143 144 144 144 144", "167 171 167 169 169 169 169",
                          "177 177 174 177 177 168* 139*"],
    ("work_stealing", 1): ["278 278 236 278 278 278 278", "814 814 554 765 814 814 814", "1287 1297 694 1133 1287 1287 1287",
                           "1726 1726 871 1505 1726 1307* 683*"],
    ("work_stealing", 2): ["350 378 238 334 350 350 350", "1838 2000 971 1630 1822 1838 1838", "3271 3311 1805 2955 3269 3271 3271",
                           "4826 1321* 1686* 1239* 460* 245* 245*"],
}
MODELS = {"philosophers": fair_models.Philosophers, "work_stealing": fair_models.WorkStealing}

# Table 3 of the paper: executions with fairness and without, seconds with and without. Program, its bug, its arguments.
TABLE_3 = [
    ("work_stealing", 1, ["2"], "82 182 2 8"),
    ("work_stealing", 2, ["2"], "112 432 8 24"),
    ("work_stealing", 3, ["2"], "212 843 12 74"),
    ("channel", 1, [], "310 11024 8 273"),
    ("channel", 2, [], "4002 47030 114 1247"),
    ("channel", 3, [], "25113 - 754 >7200"),
    ("channel", 4, [], "21014 - 677 >7200"),
]


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder

    def built(self, source, bug=0):
        program = self.folder / f"{source.stem}-{bug}"
        command = [BIN / "heddle-c++", "-std=c++20", "-O1", "-g", f"-DBUG={bug}", source, "-o", program]
        subprocess.run([str(word) for word in command], check=True)
        return program

    def program(self, name, bug=0):
        return self.built(SOURCE / "bench" / "fair" / f"{name}.cc", bug)

    def search(self, program, *words, seconds=None):
        """The search's JSON. Options stand before the program's own arguments: (options, arguments)."""
        options, arguments = words
        seconds = seconds or self.options.seconds
        command = [BIN / "heddle", "run", "--quiet", "--json", "-", "--seconds", f"{seconds:g}", *options, program, *arguments]
        ran = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=self.folder, timeout=seconds + GRACE)
        if ran.returncode not in (0, 1):
            sys.exit(f"exit code {ran.returncode} of {' '.join(map(str, command))}\n{ran.stderr}")
        return json.loads(ran.stdout)

    def figure_2(self):
        print("\nFigure 2: executions of two philosophers with try-locks that have no end, by the depth bound, without fairness")
        program = self.program("figure1")
        for depth in range(12, 33, 2):
            report = self.search(program, ["--strategy", "dfs", "--fair", "off", "--max-steps", depth], [])
            if not is_ended(report):
                print(f"  {depth:>3}  not in {self.options.seconds:g} s")
                break
            print(f"  {depth:>3}  {report['cut']:>12,}  {report['seconds']:8.2f} s", flush=True)
        report = self.search(program, [], [])
        for failure in report["failures"]:
            print(f"  with fairness: {failure['kind']} at {failure['location']}, execution {failure['execution']}, {report['seconds']:.2f} s")

    def table_2(self):
        print("\nTable 2: states visited; in brackets the paper's. A * marks a search that was not complete in "
              f"{self.options.seconds:g} s (the paper: 5000 s);\nwithout fairness executions are cut at the depth bound (db)")
        lines = [["", "search", "total", "fair", "executions", "seconds", *(f"db={depth}" for depth in DEPTHS)]]
        for (name, size), paper in PAPER_TABLE_2.items():
            program, model = self.program(name), MODELS[name](size)
            for bound, line in zip(BOUNDS, paper):
                lines.append(self.states_line(name, size, program, model, bound, line.split()))
                print(f"  {name} {size}, {lines[-1][1]}", file=sys.stderr, flush=True)
        print_columns(lines)

    def states_line(self, name, size, program, model, bound, paper):
        words = ["--strategy", "dfs", "--preemptions", "none" if bound is None else bound]
        total = len(fair_models.declared_states(model, fair.reachable(model, bound)))
        report = self.search(program, words, [size])
        cells = [cell(report, paper[1]), f"{report['executions']:,}", f"{report['seconds']:.1f}"]
        for depth, number in zip(DEPTHS, paper[2:]):
            unfair = self.search(program, [*words, "--fair", "off", "--max-steps", depth], [size])
            cells.append(cell(unfair, number))
        return [f"{name} {size}", "dfs" if bound is None else f"cb={bound}", f"{total} ({paper[0]})", *cells]

    def table_3(self):
        print("\nTable 3: executions and seconds to the bug, by the default search with at most two preemptions, in brackets the paper's; "
              "without fairness\nexecutions are cut at 250 steps. A dash: not found in "
              f"{self.options.seconds:g} s (the paper: 7200 s). Then the searches of the programs without a bug, to the end")
        lines = [["", "kind", "executions", "unfair", "seconds", "unfair"]]
        for name, bug, arguments, paper in TABLE_3:
            reports = self.fair_and_not(name, bug, arguments)
            found = [report["failures"][0] if report["failures"] else None for report in reports]
            executions = [f"{f['execution']:,}" if f else "-" for f in found]
            seconds = [f"{r['seconds']:.2f}" if f else "-" for r, f in zip(reports, found)]
            shown = [f"{ours} ({theirs})" for ours, theirs in zip(executions + seconds, paper.split())]
            lines.append([f"{name} bug {bug}", found[0]["kind"] if found[0] else "-", *shown])
        for name, arguments in {name: arguments for name, _, arguments, _ in TABLE_3}.items():
            reports = self.fair_and_not(name, 0, arguments)
            executions = [f"{r['executions']:,}{'' if is_ended(r) else '*'}" for r in reports]
            verdict = "failed" if any(r["failures"] for r in reports) else "no failure"
            lines.append([name, verdict, *executions, *(f"{r['seconds']:.2f}" for r in reports)])
        print_columns(lines)

    def fair_and_not(self, name, bug, arguments):
        program, words = self.program(name, bug), ["--preemptions", "2"]
        return [self.search(program, [*words, *more], arguments) for more in ([], ["--fair", "off", "--max-steps", "250"])]

    def large(self):
        print("\nA large program: a server of 15 threads that starts, works and shuts down")
        program = self.built(SOURCE / "tests" / "programs" / "fair" / "server.cc")
        words = ["--strategy", "random", "--executions", self.options.executions]
        report = self.search(program, words, ["3800"], seconds=600)
        print(f"  {report['executions']} executions of {report['steps'] // report['executions']:,} steps on average, at most "
              f"{report['max_steps']:,}; {report['threads']} threads; {len(report['failures'])} failures, {report['cut']} cut; "
              f"{report['seconds']:.1f} s")


def is_ended(report):
    """The search ran out of schedules; that executions were cut is another matter."""
    return report["stopped_by"] is None


def cell(report, paper):
    return f"{report['coverage']['states']}{'' if is_ended(report) else '*'} ({paper})"


def print_columns(lines):
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        print("  " + "  ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip())


PARTS = {"figure2": Bench.figure_2, "table2": Bench.table_2, "table3": Bench.table_3, "large": Bench.large}


def main():
    parser = argparse.ArgumentParser(prog="./dev bench fair", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S", help="for each search (default: 20)")
    parser.add_argument("--executions", type=int, default=300, metavar="N", help="of the large program (default: 300)")
    parser.add_argument("--only", choices=PARTS, help="this part alone")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="heddle-fair-") as folder:
        for name, part in PARTS.items():
            if options.only in (None, name):
                part(Bench(options, pathlib.Path(folder)))


main()

#!/usr/bin/env python3
"""What a test script saves: executions until a seeded bug is found, by plain searches with at most two preemptions and by a script.

The programs are in bench/scenarios. A case is one bug: in a small library, or in the use of Boost.Lockfree and of moodycamel's queues.
Called by `./dev bench scenarios [OPTIONS]`, which sets HEDDLE_BIN_DIR and HEDDLE_SOURCE_DIR. Exits with 1 if a script does not find its
bug, which is the one that the plain search finds, in fewer than 100 executions, or if it finds something in the code without the bug.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE_DIR"])
FOLDER = SOURCE / "bench" / "scenarios"
MOST = 100  # executions of a script


class Outcome:
    """A line of a program: executions, verdict and, if it failed, the kind and place of the failure."""

    def __init__(self, line):
        executions, self.verdict, *self.failure = line.split()
        self.executions = int(executions)

    def shown(self):
        if self.failure:
            return f"{self.executions:,}"
        return f"none in {self.executions:,}" if self.verdict == "passed" else f"> {self.executions:,}"


def built(source, folder):
    program = folder / source.stem
    command = [BIN / "heddle-c++", "-std=c++20", "-O1", "-g", source, "-o", program]
    subprocess.run([str(word) for word in command], check=True)
    return program


def run(program, *words):
    command = [str(program), *words]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=program.parent)
    lines = ran.stdout.splitlines()
    if len(lines) != 1:
        sys.exit(f"{' '.join(command)}: exit code {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return Outcome(lines[0])


def complaints(searches, script, fixed):
    if script.failure[:1] != ["assertion"] or script.executions >= MOST:
        yield f"the script does not find the bug in fewer than {MOST} executions"
    if any(search.failure not in ([], script.failure) for search in searches):
        yield "the script and the plain search find different failures"
    if fixed.verdict != "passed":
        yield f"the script does not pass without the bug: {fixed.verdict} {' '.join(fixed.failure)}"


def measure(program, case, options):
    """The line of the table, and what is wrong with it."""
    searches = [run(program, case, "plain", strategy) for strategy in ("dfs", "auto")]
    script, fixed = run(program, case, "script"), run(program, case, "fixed")
    wrong = list(complaints(searches, script, fixed))
    line = [case, " ".join(script.failure), *(search.shown() for search in searches), script.shown(),
            f"{fixed.verdict}, {fixed.executions}"]
    if options.fixed:
        plain = run(program, case, "plain-fixed")
        line.append(f"{plain.verdict}, {plain.executions:,}")
        if plain.failure:
            wrong.append(f"the plain test fails without the bug: {' '.join(plain.failure)}")
    return line, [f"{case}: {sentence}" for sentence in wrong]


def print_columns(lines):
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        left = [cell.ljust(width) for cell, width in zip(line[:2], widths)]
        right = [cell.rjust(width) for cell, width in zip(line[2:], widths[2:])]
        print("  ".join(["", *left, *right]))


def main():
    parser = argparse.ArgumentParser(prog="./dev bench scenarios", description="Executions until a seeded bug is found.")
    parser.add_argument("--case", metavar="NAME", help="only this one")
    parser.add_argument("--fixed", action="store_true", help="also the plain test without the bug, which must not fail")
    options = parser.parse_args()
    lines = [["case", "bug", "dfs", "auto", "script", "script, fixed", *(["plain, fixed"] if options.fixed else [])]]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for source in sorted(FOLDER.glob("*.cc")):
            program = built(source, pathlib.Path(folder))
            for case in subprocess.run([program], capture_output=True, text=True, check=True).stdout.split():
                if options.case in (None, case):
                    line, more = measure(program, case, options)
                    lines.append(line)
                    wrong += more
                    print(f"  {case}", file=sys.stderr, flush=True)
    if len(lines) == 1:
        parser.error(f"there is no case {options.case}")
    print("Executions until the bug is found: by plain searches with at most two preemptions, which end after 20,000 executions; by the\n"
          "script. Then all executions of the script on the code without the bug")
    print_columns(lines)
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

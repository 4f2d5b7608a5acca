#!/usr/bin/env python3
"""The race detector against a second opinion, on the programs of this folder (see corpus.py).

For each program: what Heddle's search says is what the program says of itself, with the lines that it
marks, and its finding replays. What ThreadSanitizer finds, Heddle has found; it is silent on the clean
ones, or the program is wrong: that changes with the programs alone, and `./dev test --all` asks. Both look at
the same object file; some programs, or with --all-builds all, are also built as users do, with each compiler
and optimisation level.

By hand, with more runs of ThreadSanitizer and the whole table:
  HEDDLE_BIN_DIR=build/release/bin HEDDLE_SOURCE_DIR=. python3 tests/races/check.py --runs 30
"""

import argparse
import concurrent.futures
import os
import pathlib
import sys
import time
from dataclasses import dataclass, field

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import corpus
import opinion
import verdict

NATIVE = ["-O1", "-fsanitize=thread", "-Wno-tsan"]
AS_USERS = [("gcc", "-O0"), ("gcc", "-O2"), ("clang", "-O0"), ("clang", "-O2")]
# Unless all are asked for, one program in so many has one of them.
ONE_IN = 5


def wrapper(compiler, *flags):
    bin_dir = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
    cc, cxx = {"gcc": ("gcc", "g++"), "clang": ("clang", "clang++")}[compiler]
    return corpus.Compiler(
        " ".join([compiler, *flags]),
        ["env", f"HEDDLE_CXX={cxx}", bin_dir / "heddle-c++"],
        ["env", f"HEDDLE_CC={cc}", bin_dir / "heddle-cc"],
        *flags,
    )


@dataclass
class Checked:
    program: corpus.Program
    problems: list = field(default_factory=list)
    seconds: float = 0.0
    said: opinion.Opinion | None = None


class Checker:
    def __init__(self, options):
        self.options = options
        self.native = corpus.Compiler("gcc", ["g++"], ["gcc"], *NATIVE)
        self.linker = wrapper("gcc", "-O1")
        self.as_users = [wrapper(*build) for build in AS_USERS]

    def builds_of(self, number):
        if self.options.all_builds:
            return self.as_users
        # A shard of as many parts as there are builds then has one of them.
        row, which = divmod(number, len(self.as_users))
        return [self.as_users[which]] if row % ONE_IN == 0 else []

    def check(self, number, program):
        checked = Checked(program)
        try:
            self.look(number, program, checked)
        except Exception as error:  # a build that fails, a run that does not end
            checked.problems.append(f"{type(error).__name__}: {error}")
        return checked

    def look(self, number, program, checked):
        objects = self.native.compile(program)
        name = program.name.replace("/", "_")
        problem, checked.seconds = verdict.judge(program, self.linker.link(objects, name))
        if problem:
            checked.problems.append(problem)
        for compiler in self.builds_of(number):
            problem, _ = verdict.judge(program, compiler.build(program))
            if problem:
                checked.problems.append(f"{compiler.name}: {problem}")
        if program.tsan_counts and self.options.runs > 0:
            self.ask(program, checked, self.native.link(objects, name))

    def ask(self, program, checked, binary):
        # In the tests a race that was found once is found.
        enough = (lambda found: found > 0) if self.options.shard else (lambda found: False)
        said = opinion.ask(binary, program.path.name, self.options.runs, enough)
        checked.said = said
        if said.other:
            checked.problems.append(f"ThreadSanitizer has another complaint: {said.other}")
        if said.found and not program.racy:
            checked.problems.append(f"ThreadSanitizer finds a race at lines {sorted(said.lines)}")
        if said.found and program.racy and not said.lines <= program.marks:
            checked.problems.append(
                f"ThreadSanitizer finds a race at lines {sorted(said.lines)}, "
                f"the program marks {sorted(program.marks)}"
            )

    def clear(self):
        for compiler in (self.native, self.linker, *self.as_users):
            compiler.clear()


def table(results):
    """Counts over all programs."""
    lines = [f"{'':32}{'racy':>8}{'clean':>8}"]

    def row(title, belongs):
        counts = [sum(belongs(r) for r in results if r.program.racy == racy) for racy in (True, False)]
        lines.append(f"{title:32}{counts[0]:8}{counts[1]:8}")

    def tsan(r):
        return r.said.found if r.said else 0

    runs = max((r.said.runs for r in results if r.said), default=0)
    row("programs", lambda r: True)
    row("as they say, by Heddle", lambda r: not r.problems)
    row(f"asked ThreadSanitizer, {runs} runs", lambda r: r.said is not None)
    row("  found in all runs", lambda r: 0 < tsan(r) == r.said.runs)
    row("  found in some, by luck", lambda r: 0 < tsan(r) < r.said.runs)
    row("  found in none", lambda r: r.said is not None and tsan(r) == 0)
    row("marked rare", lambda r: r.program.rare)
    return "\n".join(lines)


def chosen(options):
    numbered = list(enumerate(corpus.programs()))
    if options.shard:
        which, of = map(int, options.shard.split("/"))
        numbered = [(n, p) for n, p in numbered if n % of == which - 1]
    if options.only:
        numbered = [(n, p) for n, p in numbered if any(word in p.name for word in options.only)]
    return numbered


def main():
    parser = argparse.ArgumentParser(description="The race detector against a second opinion.")
    parser.add_argument("--shard", help="K/N: every N-th program, and no more runs than needed")
    parser.add_argument("--only", nargs="+", help="programs with one of these words in their names")
    parser.add_argument("--runs", type=int, default=2, help="of ThreadSanitizer")
    parser.add_argument("--all-builds", action="store_true", help="each compiler, -O0 and -O2")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="a line for each program")
    options = parser.parse_args()

    begin = time.monotonic()
    checker = Checker(options)
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(lambda pair: checker.check(*pair), chosen(options)))
    finally:
        checker.clear()
    for r in results:
        if options.verbose:
            said = f"{r.said.found} of {r.said.runs}" if r.said else "not asked"
            print(f"{r.program.name}: {r.seconds:.3f} s, ThreadSanitizer {said}")
        for problem in r.problems:
            print(f"{r.program.path}: {problem}\n")
    bad = sum(bool(r.problems) for r in results)
    print(table(results))
    print(f"{len(results)} programs, {bad} not as they say; {time.monotonic() - begin:.1f} s")
    return 1 if bad or not results else 0


if __name__ == "__main__":
    sys.exit(main())

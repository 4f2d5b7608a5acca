#!/usr/bin/env python3
"""Runs one test program: a source file whose first comment lines say what to do and what to expect.

Directives stand in the leading `//` lines of the file, one to a line:

  // RUN: <shell command>   run with `sh -e` in a fresh directory; several run in order.
                            %s the source, %S its folder, %t a path stem in the fresh directory,
                            %cxx and %cc the compiler wrappers, %heddle the command, %% a percent sign
  // EXIT: N                exit code of the RUN line above (0 if not said; 128 + N after signal N)
  // OUT: <regex>           matches the output of the RUN line above, after the match of the OUT before
  // NOT: <regex>           matches nowhere in that output
  // JSON: <expression>     Python expression over j, the JSON that the RUN line above wrote: its
                            standard output if that parses, else the file %t.json
  // TIMEOUT: <seconds>     for each RUN line of the file (120 if not said)
  // REQUIRES: <program>... skip the file if one of them is not installed
  // COMPILERS: gcc clang   run the file once with each (gcc if not said); read by CMake
  // THOROUGH: clang        … and with these by `./dev test --all` alone; for files that take long

A RUN line that only compiles, and expects nothing but success, is done once for all tests: see compiled.py.

The output that OUT and NOT see is standard output followed by standard error; where the true order
matters the command says 2>&1. A command must leave no process of its group behind.

Exit code: 0 passed, 1 failed, 2 the directives are wrong, 77 skipped.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import sys
import tempfile

import compiled
import processes

KINDS = {"RUN", "EXIT", "OUT", "NOT", "JSON", "TIMEOUT", "REQUIRES", "COMPILERS", "THOROUGH"}
COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang", "clang++")}
SKIPPED = 77
# A command that the shell would split at its blanks, and do nothing else with.
PLAIN_COMPILATION = re.compile(r"%(cxx|cc) [\w %./+=-]+")
# A failing search can print much; its beginning and its end say most.
SHOWN_CHARACTERS = 20_000


class BadDirective(Exception):
    pass


class Run:
    """One RUN line with the expectations that follow it; each keeps its line number in the file."""

    def __init__(self, line, command):
        self.line = line
        self.command = command
        self.exit_line = line
        self.exit = 0
        self.out = []
        self.forbidden = []
        self.json = []


class Program:
    def __init__(self, path):
        self.path = path
        self.runs = []
        self.timeout = 120.0
        self.requires = []
        for number, kind, text in leading_directives(path):
            self.add(number, kind, text)
        if not self.runs:
            raise BadDirective(f"{path}: no RUN line in the leading comment")

    def add(self, number, kind, text):
        where = f"{self.path}:{number}"
        if kind not in KINDS:
            raise BadDirective(f"{where}: unknown directive {kind}; known: {', '.join(sorted(KINDS))}")
        if not text:
            raise BadDirective(f"{where}: {kind} is empty")
        if kind == "RUN":
            self.runs.append(Run(number, text))
        elif kind == "TIMEOUT":
            self.timeout = float(text)
        elif kind == "REQUIRES":
            self.requires += text.split()
        elif kind in ("COMPILERS", "THOROUGH"):
            unknown = set(text.split()) - COMPILERS.keys()
            if unknown:
                raise BadDirective(f"{where}: unknown compiler {', '.join(sorted(unknown))}")
        elif not self.runs:
            raise BadDirective(f"{where}: {kind} stands before the first RUN line")
        elif kind == "EXIT":
            self.runs[-1].exit_line, self.runs[-1].exit = number, int(text)
        else:
            run = self.runs[-1]
            expectations = {"OUT": run.out, "NOT": run.forbidden, "JSON": run.json}[kind]
            expectations.append((number, checked(where, kind, text)))


def only_compiles(run):
    expects = run.out or run.forbidden or run.json or run.exit != 0
    return not expects and PLAIN_COMPILATION.fullmatch(run.command) is not None


def checked(where, kind, text):
    try:
        return text if kind == "JSON" else re.compile(text, re.MULTILINE)
    except re.error as error:
        raise BadDirective(f"{where}: bad regular expression: {error}") from error


def leading_directives(path):
    with open(path, encoding="utf-8") as source:
        for number, line in enumerate(source, 1):
            if line.strip() and not line.startswith("//"):
                return
            found = re.match(r"// *([A-Z]+):(.*)", line)
            if found:
                yield number, found.group(1), found.group(2).strip()


def substitute(command, words):
    pattern = "%(%|(?:" + "|".join(words) + r")(?![A-Za-z0-9_]))"
    return re.sub(pattern, lambda m: "%" if m[1] == "%" else shlex.quote(words[m[1]]), command)


def unmet(run, result, stem, timeout):
    """What of the run's expectations does not hold: (line, message) pairs."""
    output = result.stdout + result.stderr
    problems = []
    if result.timed_out:
        problems.append((run.line, f"no end after {timeout:g} seconds"))
    elif result.exit != run.exit:
        problems.append((run.exit_line, f"exit code {result.exit}, expected {run.exit}"))
    if result.left_behind:
        problems.append((run.line, f"processes left behind: {result.left_behind}"))

    position = 0
    for line, regex in run.out:
        match = regex.search(output, position)
        if match is None:
            after = output.count("\n", 0, position)
            place = f" after line {after} of the output" if after else ""
            problems.append((line, f"OUT: {regex.pattern}\n  does not match{place}"))
            break
        position = match.end()

    for line, regex in run.forbidden:
        match = regex.search(output)
        if match is not None:
            problems.append((line, f"NOT: {regex.pattern}\n  matches {match.group(0)!r}"))

    if run.json:
        problems += unmet_json(run.json, result.stdout, pathlib.Path(stem + ".json"))
    return problems


def unmet_json(expectations, stdout, file):
    try:
        document = json.loads(stdout)
    except ValueError:
        try:
            document = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            return [(expectations[0][0], f"JSON neither on standard output nor in {file}: {error}")]
    problems = []
    for line, expression in expectations:
        try:
            value = eval(expression, {"j": document, "re": re})
        except Exception as error:  # whatever the expression of a test raises is its failure
            value = f"{type(error).__name__}: {error}"
        if value is not True:
            problems.append((line, f"JSON: {expression}\n  gives {value!r}, not True"))
    if problems:
        shown = json.dumps(document, indent=2)
        problems.append((expectations[0][0], f"the JSON was\n{shorten(shown)}"))
    return problems


def shorten(text):
    if len(text) <= SHOWN_CHARACTERS:
        return text
    half = SHOWN_CHARACTERS // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


def report(path, command, result, problems):
    for line, message in problems:
        print(f"{path}:{line}: {message}")
    print(f"\ncommand:\n{command}")
    for name, text in (("standard output", result.stdout), ("standard error", result.stderr)):
        print(f"\n{name}:\n{shorten(text)}" if text else f"\n{name}: empty")


def run_program(program, compiler, bin_dir, directory):
    stem = os.path.join(directory, program.path.stem)
    words = {
        "s": str(program.path),
        "S": str(program.path.parent),
        "t": stem,
        "cxx": str(bin_dir / "heddle-c++"),
        "cc": str(bin_dir / "heddle-cc"),
        "heddle": str(bin_dir / "heddle"),
    }
    environment = processes.clean_environment(bin_dir)
    environment["HEDDLE_CC"], environment["HEDDLE_CXX"] = COMPILERS[compiler]
    for run in program.runs:
        command = substitute(run.command, words)
        if only_compiles(run):
            done = compiled.compile_with(shlex.split(command), directory, environment)
            result = processes.Result(done.returncode, done.stdout, done.stderr, False, "")
        else:
            result = processes.run(["sh", "-e", "-c", command], directory, environment, program.timeout)
        problems = unmet(run, result, stem, program.timeout)
        if problems:
            report(program.path, command, result, problems)
            return 1
    return 0


def main():
    parser = argparse.ArgumentParser(description="Runs one test program as its first lines say.")
    parser.add_argument("--bin-dir", type=pathlib.Path, required=True, help="where heddle is")
    parser.add_argument("--compiler", choices=COMPILERS, default="gcc")
    parser.add_argument("--keep", action="store_true", help="keep the fresh directory")
    parser.add_argument("source", type=pathlib.Path)
    arguments = parser.parse_args()

    try:
        program = Program(arguments.source.resolve())
    except (BadDirective, ValueError, OSError) as error:
        print(error)
        return 2
    missing = [name for name in program.requires if shutil.which(name) is None]
    if missing:
        print(f"skipped: not installed: {', '.join(missing)}")
        return SKIPPED

    directory = tempfile.mkdtemp(prefix="heddle-test-")
    try:
        return run_program(program, arguments.compiler, arguments.bin_dir.resolve(), directory)
    finally:
        if arguments.keep:
            print(f"kept: {directory}")
        else:
            shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())

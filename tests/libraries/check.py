#!/usr/bin/env python3
"""Builds examples/libraries, runs what docs/examples.md says of them, and compares verdicts and executions.

usage: check.py [--update] [--clang] [PROGRAM...]

The page has a block ```sh with the commands that build the programs, and tables of rows: program, command, verdict,
executions. A verdict is that of the JSON; a failure has its kind behind it: `failed: data-race`. With Clang the number
of executions may be another. `about 1,000` is right for what is at most a tenth away from it: of a program that takes
other ways at other addresses. --update puts into the page what comes out.

What needs the source of a Debian package finds it in the folder that the environment variable of the package's name
has, or in build/sources, where `./dev examples` puts it; without it the program is skipped (exit code 77, if there is
no other).
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(SOURCE / "tests"))
import compiled
import processes

PAGE = SOURCE / "docs" / "examples.md"
FOLDER = SOURCE / "examples" / "libraries"
TIMEOUT = 300.0
SKIPPED = 77
ROW = re.compile(r"^\| \[`(\w+)`\]\([^)]*\) \| `([^`]*)` \| ([^|]*) \| ([^|]*) \|", re.MULTILINE)
BUILD = re.compile(r"^heddle-c(?:c|\+\+) .*?-o (\w+)\b.*$", re.MULTILINE)


def source_of(package):
    """The folder of its source, or None."""
    given = os.environ.get(package.upper())
    found = [pathlib.Path(given)] if given else sorted((SOURCE / "build" / "sources").glob(f"{package}-*/"))
    return found[-1] if found and found[-1].is_dir() else None


def agrees(count, told):
    """Whether it is the number that the page tells, or near to what it tells as `about`."""
    number = int(told.removeprefix("about ").replace(",", ""))
    return count == number or (told.startswith("about ") and abs(count - number) <= number / 10)


class Page:
    def __init__(self):
        self.text = PAGE.read_text()
        joined = self.text.replace("\\\n", " ")
        self.builds = {match[1]: match[0] for match in BUILD.finditer(joined)}
        self.rows = [match.groups() for match in ROW.finditer(self.text)]
        sources = {path.stem for path in FOLDER.iterdir()}
        if sources != set(self.builds) or sources != {row[0] for row in self.rows}:
            raise SystemExit(f"{PAGE.name}: not all of {sorted(sources)} are built and run there, or others are")

    def set_row(self, command, verdict, executions):
        begin = self.text.index(f"| `{command}` |")
        end = self.text.index("\n", begin)
        self.text = f"{self.text[:begin]}| `{command}` | {verdict} | {executions} |{self.text[end:]}"


class Checker:
    def __init__(self, options, directory):
        self.options = options
        self.directory = directory
        self.page = Page()
        self.bin = os.environ.get("HEDDLE_BIN_DIR") or SOURCE / "build" / "release" / "bin"
        self.environment = processes.clean_environment(self.bin)
        if options.clang:
            self.environment.update(HEDDLE_CC="clang", HEDDLE_CXX="clang++")
        self.failures = []

    def build(self, program):
        """False if the source of a package is missing."""
        command = self.page.builds[program]
        for package in re.findall(r"\$(\w+)", command):
            folder = source_of(package.lower())
            if folder is None:
                print(f"{program}: skipped: there is no source of {package.lower()}; ./dev examples fetches it")
                return False
            command = command.replace(f"${package}", str(folder))
        words = shlex.split(command)
        words[0] = str(pathlib.Path(self.bin) / words[0])
        words = [str(FOLDER / word) if (FOLDER / word).is_file() else word for word in words]
        built = compiled.compile_with(words, self.directory, self.environment)
        if built.returncode != 0:
            raise SystemExit(f"{command}\n{built.stderr}")
        return True

    def run(self, command, verdict, executions):
        words = shlex.split(command)
        words[2:2] = ["--json", "result.json", "--explain", "off"]
        result = processes.run(words, self.directory, self.environment, TIMEOUT)
        if result.exit not in (0, 1) or result.timed_out:
            self.failures.append(f"{command}: exit code {result.exit}\n{result.stdout}{result.stderr}")
            return
        report = json.loads((self.directory / "result.json").read_text())
        found = report["verdict"]
        if report["failures"]:
            found += ": " + report["failures"][0]["kind"]
        count = f"{report['executions']:,}"
        print(f"{command}: {found}, {count} executions")
        same = found == verdict and (agrees(report["executions"], executions) or self.options.clang)
        if self.options.update and not same:
            self.page.set_row(command, found, count)
        elif not same:
            self.failures.append(
                f"{command}: {found}, {count} executions, but the page says {verdict}, {executions}\n"
                "(if this is meant: tests/libraries/check.py --update)"
                + (f"\n{result.stdout}" if found != verdict else "")
            )

    def check(self):
        skipped = 0
        programs = self.options.programs or sorted(self.page.builds)
        for program in programs:
            if not self.build(program):
                skipped += 1
                continue
            for name, *row in self.page.rows:
                if name == program:
                    self.run(*row)
        if self.options.update:
            PAGE.write_text(self.page.text)
        print("\n".join(self.failures))
        return 1 if self.failures else SKIPPED if skipped == len(programs) else 0


def main():
    parser = argparse.ArgumentParser(description="Checks docs/examples.md.")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--clang", action="store_true")
    parser.add_argument("programs", nargs="*")
    with tempfile.TemporaryDirectory(prefix="heddle-libraries-") as directory:
        return Checker(parser.parse_args(), pathlib.Path(os.path.realpath(directory))).check()


if __name__ == "__main__":
    sys.exit(main())

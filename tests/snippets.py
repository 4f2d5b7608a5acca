#!/usr/bin/env python3
"""Runs the fenced blocks of a document, and checks that they do what the document shows.

usage: snippets.py [--update] DOCUMENT...

Each document is played from top to bottom in a fresh directory, with the tools on the path
(HEDDLE_BIN_DIR; by default build/release/bin). What the fence says decides:

    ```cpp file=queue.cc          the block is written to that file
    ```cpp same=examples/queue.cc the same, and it must equal that file of the repository
    ```diff file=queue.cc         the file is changed: the lines with - must be there, those with + come
    ```console                    each line that begins with `$ ` is run by bash, and the lines below it
                                  are what it must write; `$ echo $?` shows the last exit code
    ```sh in=examples             each line is run, among copies of that folder's files; a comment
                                  `# exit code N` says with which code it ends, else it is 0
    ```sh, ```text                not run: what needs another machine, or is no program

Any other fence is an error: nothing is left unchecked by mistake. In output, times, rates, addresses and
hashes may be any, a run of blanks is as good as one, and a line `...` stands for any number of lines. The
directory of the test appears as /home/ada/demo.

With --update, output that differs is replaced in the document, unless it has a `...`.
"""

import argparse
import difflib
import os
import pathlib
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass, field

import processes

SOURCE_DIR = pathlib.Path(__file__).resolve().parent.parent
HOME = "/home/ada/demo"
TIMEOUT = 120.0
UNCHECKED = {"sh", "text"}
EXIT_CODE = re.compile(r"# exit code (\d+)")
FENCE = re.compile(r"^```(\w*) *(.*)$")
# What differs from run to run, and what it is compared as.
VARIABLE = [
    (re.compile(r" ?\(\d[\d,]*/s\)"), ""),
    (re.compile(r"\b\d[\d,.]*[kMG]?/s(?!\w)"), "<rate>"),
    (re.compile(r"\b\d+ min \d+ s\b|\b\d+(\.\d+)? m?s\b"), "<time>"),
    (re.compile(r'"(seconds|executions_per_second)": [-+.\de]+'), r'"\1": <number>'),
    (re.compile(r"\b0x[0-9a-f]+\b"), "<address>"),
    (re.compile(r"\b([0-9a-f]{40}|[0-9a-f]{16})\b"), "<hash>"),
    (re.compile(r"\s+"), " "),
]


@dataclass
class Block:
    line: int  # of the first line inside, from 1
    language: str
    attributes: dict
    lines: list = field(default_factory=list)

    def text(self):
        return "\n".join(self.lines) + "\n"


class Mismatch(Exception):
    pass


def blocks_of(text):
    block = None
    for number, line in enumerate(text.split("\n"), 1):
        fence = FENCE.match(line)
        if block is not None and line == "```":
            yield block
            block = None
        elif block is not None:
            block.lines.append(line)
        elif fence:
            words = [word.partition("=") for word in fence[2].split()]
            block = Block(number + 1, fence[1], {key: value for key, _, value in words})
    if block is not None:
        raise Mismatch(f"line {block.line}: the block does not end")


def normal(lines):
    """The lines without what may differ, and without empty ones at the end."""
    result = []
    for line in lines:
        for pattern, replacement in VARIABLE:
            line = pattern.sub(replacement, line)
        result.append(line.strip())
    while result and not result[-1]:
        result.pop()
    return result


def matches(expected, found):
    if "..." not in expected:
        return expected == found
    gap = expected.index("...")
    head, rest = expected[:gap], expected[gap + 1 :]
    if found[:gap] != head:
        return False
    return any(matches(rest, found[i:]) for i in range(gap, len(found) + 1))


def commands_of(block):
    """Pairs of a command and the range of its expected lines within the block."""
    starts = [i for i, line in enumerate(block.lines) if line.startswith("$ ")]
    if not starts or starts[0] != 0:
        raise Mismatch(f"line {block.line}: a console block begins with `$ ` and a command")
    for start, end in zip(starts, starts[1:] + [len(block.lines)]):
        command, first = block.lines[start][2:], start + 1
        while command.endswith("\\"):
            command = command[:-1] + block.lines[first].strip()
            first += 1
        yield command, range(first, end)


class Player:
    def __init__(self, document, bin_dir, directory):
        self.document = document
        self.directory = pathlib.Path(directory)
        self.environment = processes.clean_environment(bin_dir)
        self.environment["NO_COLOR"] = "1"
        self.exit = 0
        self.errors = []
        self.updates = []  # (first line, last line, new lines), from 0, of the document

    def play(self, text):
        try:
            for block in blocks_of(text):
                self.play_block(block)
        except Mismatch as error:
            self.errors.append(f"{self.document}, {error}")

    def play_block(self, block):
        name = block.attributes.get("file") or block.attributes.get("same")
        if block.language == "console":
            for command, expected in commands_of(block):
                self.run(block, command, expected)
        elif "in" in block.attributes:
            self.run_lines(block)
        elif name and block.language == "diff":
            self.change(block, self.directory / name)
        elif name:
            self.write(block, name)
        elif block.language not in UNCHECKED:
            raise Mismatch(f"line {block.line}: give the block file=, or make it text")

    def write(self, block, name):
        path = self.directory / (pathlib.Path(name).name if "same" in block.attributes else name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text())
        if "same" in block.attributes and block.text() != (SOURCE_DIR / name).read_text():
            self.errors.append(f"{self.document}, line {block.line}: is not {name} any more")

    def change(self, block, path):
        old = "".join(line[1:] + "\n" for line in block.lines if line[:1] != "+")
        new = "".join(line[1:] + "\n" for line in block.lines if line[:1] != "-")
        text = path.read_text()
        if text.count(old) != 1:
            raise Mismatch(f"line {block.line}: what is to change is not in {path.name} just once")
        path.write_text(text.replace(old, new))

    def output_of(self, command, where):
        """Runs the command; its output without what differs by place, as lines."""
        shell = ["bash", "-c", f"exec 2>&1; (exit {self.exit}); {command}"]
        result = processes.run(shell, self.directory, self.environment, TIMEOUT)
        self.exit = result.exit
        if result.timed_out or result.left_behind:
            raise Mismatch(f"{where}: {result.left_behind or 'no end'}")
        lines = result.stdout.replace(str(self.directory), HOME).rstrip().split("\n")
        return [line.rstrip() for line in lines if line or len(lines) > 1]

    def run_lines(self, block):
        for file in sorted((SOURCE_DIR / block.attributes["in"]).iterdir()):
            if file.is_file():
                shutil.copy(file, self.directory)
        for number, command in enumerate(block.lines):
            where = f"{self.document}, line {block.line + number}: {command}"
            output = self.output_of(command, where)
            code = EXIT_CODE.search(command)
            if self.exit != int(code[1] if code else 0):
                self.errors.append(f"{where}: exit code {self.exit}\n" + "\n".join(output))

    def run(self, block, command, expected):
        where = f"{self.document}, line {block.line + expected.start - 1}: $ {command}"
        found = self.output_of(command, where)
        wanted = [block.lines[i] for i in expected]
        if matches(normal(wanted), normal(found)):
            return
        difference = difflib.unified_diff(wanted, found, "document", "output", lineterm="")
        self.errors.append(where + "\n" + "\n".join(difference) + "\n")
        if "..." not in wanted:
            last = block.line - 1 + expected.stop
            blank = [""] if wanted and not wanted[-1] and expected.stop < len(block.lines) else []
            self.updates.append((block.line - 1 + expected.start, last, found + blank))


def updated(text, updates):
    lines = text.split("\n")
    for first, last, new in sorted(updates, reverse=True):
        lines[first:last] = new
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description="Runs the fenced blocks of documents.")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("documents", nargs="+")
    options = parser.parse_args()

    bin_dir = os.environ.get("HEDDLE_BIN_DIR") or SOURCE_DIR / "build/release/bin"
    failed = False
    for document in options.documents:
        path = SOURCE_DIR / document
        text = path.read_text()
        with tempfile.TemporaryDirectory(prefix="heddle-docs-") as directory:
            player = Player(document, bin_dir, os.path.realpath(directory))
            player.play(text)
        for error in player.errors:
            print(error)
        if options.update and player.updates:
            path.write_text(updated(text, player.updates))
            print(f"{document}: {len(player.updates)} outputs replaced")
        failed = failed or bool(player.errors)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

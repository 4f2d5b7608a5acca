"""The libraries of this folder with their unit tests and bugs, as the tests' first lines tell; README.md has the rules."""

import os
import pathlib
import re
import subprocess
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
LIBRARIES = ["ports", "regions", "primitives", "collections", "tasks", "parallel"]  # the paper's order; others follow
KINDS = ["assertion", "deadlock", "livelock"]
FLAGS = ["-std=c++20", "-O1", "-g"]
DIRECTIVE = re.compile(r"(test|steps|bug \d+|focus): *(.+)")


class BadTest(Exception):
    """A test whose first lines are not as README.md says."""


@dataclass
class Bug:
    test: "Test"
    number: int
    kind: str
    words: str

    @property
    def name(self):
        """How the bug is called in tables and files: the test alone, where it has no other."""
        return self.test.name if len(self.test.bugs) == 1 else f"{self.test.name}#{self.number}"


@dataclass
class Test:
    source: pathlib.Path
    name: str = ""
    steps: int = 0
    bugs: list = field(default_factory=list)
    focus: list = field(default_factory=list)

    @property
    def library(self):
        return self.source.parent.name

    def compile(self, folder, number=0):
        """Builds the test with a bug, or with none; returns the program."""
        program = pathlib.Path(folder) / f"{self.library}-{self.source.stem}-{number}"
        seed = [f"-DBUG={number}"] if number else []
        compiler = pathlib.Path(os.environ["HEDDLE_BIN_DIR"]) / "heddle-c++"
        command = [compiler, *FLAGS, *seed, f"-I{HERE}", self.source, "-o", program]
        subprocess.run([str(word) for word in command], check=True, stdin=subprocess.DEVNULL)
        return program


def head_of(source):
    """The lines of the first comment, without their slashes."""
    lines = []
    for line in source.read_text().splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:])
    return lines


def directives_of(source):
    """(word, text) of each directive; indented lines go on with the one before."""
    found = []
    for line in head_of(source):
        match = DIRECTIVE.fullmatch(line.strip())
        if match:
            found.append([match[1], match[2].strip()])
        elif found and line.startswith("   "):
            found[-1][1] += " " + line.strip()
    return found


def read_test(source):
    test = Test(source)
    for word, text in directives_of(source):
        if word == "test":
            test.name = text
        elif word == "steps":
            if not re.fullmatch(r"[0-9,]+", text):
                raise BadTest(f"{source}: steps: {text} is not a number")
            test.steps = int(text.replace(",", ""))
        elif word == "focus":
            test.focus = [method.strip() for method in text.split(",")]
        else:
            kind, _, words = text.partition(":")
            if kind not in KINDS or not words.strip():
                raise BadTest(f"{source}: {word}: first its kind ({', '.join(KINDS)}), then a colon and what is wrong")
            test.bugs.append(Bug(test, int(word.split()[1]), kind, words.strip()))
    for what, there in {"test:": test.name, "steps:": test.steps, "bug:": test.bugs}.items():
        if not there:
            raise BadTest(f"{source} has no line // {what}")
    return test


def place_of(library):
    return (LIBRARIES.index(library) if library in LIBRARIES else len(LIBRARIES), library)


def tests():
    """All tests, library by library, in the order of their bugs."""
    found = [read_test(source) for source in HERE.glob("*/*.cc")]
    found.sort(key=lambda test: (*place_of(test.library), test.bugs[0].number, test.name))
    names = [test.name for test in found]
    for name in names:
        if names.count(name) > 1:
            raise BadTest(f"two tests are called {name}")
    return found

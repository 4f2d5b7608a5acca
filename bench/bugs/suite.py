"""The programs of this folder, as their first lines tell; README.md has the rules."""

import os
import pathlib
import re
import shlex
import subprocess
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ["assertion", "deadlock", "data-race", "use-after-free"]
FLAGS = ["-std=c++20", "-O1", "-g"]
DIRECTIVE = re.compile(r"(program|bug|options|aim): *(.+)")


class BadProgram(Exception):
    """A program whose first lines are not as README.md says."""


@dataclass
class Program:
    """A source file with a choice of sizes."""
    name: str
    source: pathlib.Path
    parameters: list  # -DTHREADS=3
    kind: str = ""
    options: list = field(default_factory=list)  # of heddle run
    aim: int = 0  # executions of auto to the bug, at most, on the average; 0: none

    def compile(self, folder):
        """Builds it; returns the program."""
        built = pathlib.Path(folder) / self.name
        compiler = pathlib.Path(os.environ["HEDDLE_BIN_DIR"]) / "heddle-c++"
        command = [compiler, *FLAGS, *self.parameters, self.source, "-o", built]
        subprocess.run([str(word) for word in command], check=True, stdin=subprocess.DEVNULL)
        return built


def directives_of(source):
    """(word, text) of each directive of the first comment; further lines of one are left out."""
    for line in source.read_text().splitlines():
        if not line.startswith("//"):
            return
        match = DIRECTIVE.fullmatch(line[2:].strip())
        if match:
            yield match[1], match[2].strip()


def read_file(source):
    """The programs of a file, in the order of their lines."""
    programs, kind, options = {}, "", []
    for word, text in directives_of(source):
        name, _, rest = (part.strip() for part in text.partition(":"))
        if word == "program":
            programs[name] = Program(name, source, shlex.split(rest))
        elif word == "aim":
            if name not in programs or not rest.isdigit():
                raise BadProgram(f"{source}: aim: {text}: first a program of this file, then a colon and a number")
            programs[name].aim = int(rest)
        elif word == "bug":
            if name not in KINDS or not rest:
                raise BadProgram(f"{source}: bug: first its kind ({', '.join(KINDS)}), then a colon and what is wrong")
            kind = name
        else:
            options = shlex.split(text)
    for what, there in {"program:": programs, "bug:": kind}.items():
        if not there:
            raise BadProgram(f"{source} has no line // {what}")
    for program in programs.values():
        program.kind, program.options = kind, options
    return list(programs.values())


def programs():
    """All programs, file by file."""
    found = [program for source in sorted(HERE.glob("*.cc")) for program in read_file(source)]
    names = [program.name for program in found]
    for name in names:
        if names.count(name) > 1:
            raise BadProgram(f"two programs are called {name}")
    return found

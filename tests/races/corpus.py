"""The programs of this folder, as values, and how they are built.

racy/ and clean/ hold small programs, each about one thing. The first line says why it races, or why
not; lines of that comment may also say:

  // rare: <why>      natively the race needs luck; the search must find it all the same
  // tsan: <why>      ThreadSanitizer's opinion does not count: it does not know what the program uses
  // or: <kind>       a failure of this kind is as good as `data-race`
  // search: <option> ...   further options for `heddle run`

In racy programs `// race` stands on each line that takes part in the race. If there are two, the one
races with the other, or, where `// race, also with itself` says so, with itself.
"""

import functools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
MARK = re.compile(r"// race\b")
DIRECTIVE = re.compile(r"// (rare|tsan|or|search): (.+)")


class BadProgram(Exception):
    pass


@dataclass(frozen=True)
class Program:
    path: pathlib.Path
    racy: bool
    marks: frozenset  # numbers of the lines that race
    with_itself: bool
    directives: dict = field(hash=False, default_factory=dict)

    @property
    def name(self):
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def rare(self):
        return "rare" in self.directives

    @property
    def tsan_counts(self):
        return "tsan" not in self.directives

    @property
    def kinds(self):
        return {"data-race", *self.directives.get("or", "").split()}

    @property
    def search(self):
        return self.directives.get("search", "").split()


def read(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    racy = path.parent.name == "racy"
    if not lines[0].startswith("// Races: " if racy else "// No race: "):
        raise BadProgram(f"{path}: the first line does not say why it races or why not")
    directives = {}
    for line in lines[1:]:
        if not line.startswith("//"):
            break
        found = DIRECTIVE.fullmatch(line)
        if not found:
            raise BadProgram(f"{path}: what is `{line}`?")
        directives[found[1]] = found[2]
    marks = frozenset(n for n, line in enumerate(lines, 1) if MARK.search(line))
    if racy != bool(marks):
        raise BadProgram(f"{path}: `// race` is for the racing lines of racy programs")
    with_itself = any("// race, also with itself" in line for line in lines)
    return Program(path, racy, marks, with_itself, directives)


@functools.cache
def programs():
    paths = [p for folder in ("clean", "racy") for p in (HERE / folder).iterdir()]
    return [read(path) for path in sorted(paths)]


class Compiler:
    """Builds in a directory of its own, where all headers of the corpus are compiled beforehand:
    they take most of the time."""

    def __init__(self, name, cxx, cc, *flags):
        self.name = name
        self.cxx, self.cc = [*cxx, "-std=c++20"], list(cc)
        # Lines are all that is asked for.
        self.flags = [*flags, "-g1", "-Wall", "-Wextra", "-pthread"]
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="built-", dir=os.getcwd()))

    @functools.cached_property
    def headers(self):
        includes = {
            line
            for program in programs()
            if program.path.suffix == ".cc"
            for line in program.path.read_text(encoding="utf-8").splitlines()
            if line.startswith("#include")
        }
        header = self.dir / "all.h"
        header.write_text("\n".join(sorted(includes)) + "\n", encoding="utf-8")
        kind = ["-x", "c++-header"]
        output = f"{header}.{'pch' if 'clang' in self.name else 'gch'}"
        self.run([*self.cxx, *self.flags, *kind, header, "-o", output])
        return ["-include", header]

    def compile(self, program):
        """Its object file."""
        output = self.dir / (program.name.replace("/", "_") + ".o")
        c = program.path.suffix == ".c"
        command = [*self.cc, *self.flags] if c else [*self.cxx, *self.flags, *self.headers]
        self.run([*command, "-c", program.path, "-o", output])
        return output

    def link(self, objects, name):
        output = self.dir / name
        self.run([*self.cxx, *self.flags, objects, "-o", output])
        return output

    def build(self, program):
        return self.link(self.compile(program), program.name.replace("/", "_"))

    @staticmethod
    def run(command):
        subprocess.run([str(word) for word in command], check=True)

    def clear(self):
        shutil.rmtree(self.dir, ignore_errors=True)

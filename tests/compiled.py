"""Test programs, each compiled once: by whichever test comes first, and not again until something changes.

What a command makes is kept in the build directory, under a hash of all that it depends on: the command; the
sources, and what they include of ours; the wrapper, and the symbols of the libraries that it links; the packages
that are installed. Only commands of few, known words are kept, and only those that succeed and say nothing;
whatever else comes is run as it stands.

Standard headers take half of the time of a compilation. A program of the usual flags therefore gets those that most
programs include as a precompiled header, unless it defines something before its own first include.
"""

import contextlib
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

# Of programs; 100 kB each.
KEPT = 2000
FLAGS = re.compile(r"-(std=[\w+]+|O[0-3s]|g|w|pipe|mcx16|pthread|static-libstdc\+\+|l\w+|[DU]\w+(=\w*)?|W[\w-]+|f[\w=-]+)")
SOURCE = re.compile(r".*\.(c|cc)")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<(heddle/[^>]+)>)', re.MULTILINE)
BEFORE_INCLUDES = re.compile(r"\A(?:\s*//[^\n]*\n|\s*\n)*[ \t]*#[ \t]*include")
# What compilers read of the environment.
VARIABLES = ("HEDDLE_CC", "HEDDLE_CXX", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "GCC_EXEC_PREFIX")

# Nothing with a static object (<iostream>), and nothing that is a program's subject.
PRELUDE = "atomic cassert chrono condition_variable cstdio cstdlib cstring mutex stdexcept string thread vector".split()
PRELUDE_FLAGS = ["-std=c++20", "-O1", "-g"]


def compile_with(command, directory, environment):
    """Runs a command of a wrapper, or does what it would do. Returns a CompletedProcess."""
    command = [str(word) for word in command]
    plan = planned(command, pathlib.Path(directory), environment)
    if plan is None:
        return run(command, directory, environment)
    key, output = plan
    kept = store(command) / key
    with contextlib.suppress(OSError):
        shutil.copy(kept, output)
        os.utime(kept)
        return subprocess.CompletedProcess(command, 0, "", "")
    result = run(with_prelude(command, directory, environment), directory, environment)
    if result.returncode == 0 and not result.stdout and not result.stderr:
        keep(output, kept)
    return result


def run(command, directory, environment):
    return subprocess.run(
        command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )


def store(command):
    return pathlib.Path(command[0]).parent.parent / "test-programs"


def planned(command, directory, environment):
    """The hash of all that the command depends on, and where its output goes; None: it is none that is kept."""
    wrapper = pathlib.Path(command[0])
    sources, flags, output = [], [], None
    words = iter(command[1:])
    for word in words:
        if word == "-o" and output is None:
            output = next(words, None)
        elif SOURCE.fullmatch(word):
            sources.append(directory / word)
        elif FLAGS.fullmatch(word):
            flags.append(word)
        else:
            return None
    if wrapper.name not in ("heddle-cc", "heddle-c++") or not sources or output is None:
        return None
    digest = hashlib.sha256()
    # Sources by their names, too: reports show them.
    told = [wrapper.name, *flags, *map(str, sources)]
    told += [f"{name}={environment.get(name, '')}" for name in VARIABLES]
    told += [stamp("/var/lib/dpkg/status"), tools_of(wrapper)]
    digest.update("\0".join(told).encode())
    try:
        for file in with_includes(sources, wrapper.parent.parent / "include"):
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    except OSError:
        return None
    return digest.hexdigest()[:40], directory / output


def with_includes(sources, include):
    """The files, and what they include that is ours."""
    seen = []
    waiting = list(sources)
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.append(file)
        for beside, heddles in INCLUDE.findall(file.read_text(encoding="utf-8", errors="replace")):
            found = file.parent / beside if beside else include / heddles
            # A quoted name may be another's: of a library, or of an installed package.
            if found.exists():
                waiting.append(found)
    return seen


def stamp(path):
    try:
        found = os.stat(path)
    except OSError:
        return "none"
    return f"{found.st_size} {found.st_mtime_ns}"


def tools_of(wrapper):
    """A hash of the wrapper, and of the names that the libraries define: a program has nothing else of them."""
    root = wrapper.parent.parent
    libraries = sorted((root / "lib").glob("*.so"))
    files = [wrapper.resolve(), *libraries, *(root / "lib" / "heddle").glob("*")]
    known = hashlib.sha256("\0".join(f"{file} {stamp(file)}" for file in files).encode()).hexdigest()[:40]
    memo = root / "test-programs" / f"tools-{known}"
    with contextlib.suppress(OSError):
        return memo.read_text()
    digest = hashlib.sha256()
    for file in files:
        if file in libraries:
            symbols = subprocess.run(
                ["nm", "-D", "--defined-only", "--format=posix", file], capture_output=True, text=True, check=True
            ).stdout
            names = "\n".join(sorted(line.split()[0] for line in symbols.splitlines()))
            digest.update(names.encode())
        elif file.is_file():
            digest.update(file.read_bytes())
    write(memo, digest.hexdigest().encode())
    return digest.hexdigest()


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix="new-", delete=False) as file:
        file.write(content)
    os.replace(file.name, path)


def keep(output, kept):
    with contextlib.suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        new = tempfile.mktemp(dir=kept.parent, prefix="new-")
        shutil.copy(output, new)
        os.replace(new, kept)
        files = sorted(kept.parent.iterdir(), key=lambda file: file.stat().st_mtime)
        for old in files[: max(0, len(files) - KEPT)]:
            if old.is_file():
                old.unlink()


def with_prelude(command, directory, environment):
    """The command, with the precompiled header where that serves."""
    sources = [word for word in command if SOURCE.fullmatch(word)]
    if pathlib.Path(command[0]).name != "heddle-c++" or len(sources) != 1 or command[1:4] != PRELUDE_FLAGS:
        return command
    others = [w for w in command[4:] if w.startswith("-") and w != "-o" and not w.startswith("-l")]
    text = (pathlib.Path(directory) / sources[0]).read_text(encoding="utf-8", errors="replace")
    if others or not sources[0].endswith(".cc") or not BEFORE_INCLUDES.match(text):
        return command
    header = prelude(command[0], environment)
    return [*command[:4], "-include", str(header), *command[4:]] if header else command


def prelude(wrapper, environment):
    """The header beside which its precompiled form stands; made by whoever needs it first."""
    told = [tools_of(pathlib.Path(wrapper)), stamp("/var/lib/dpkg/status"), *PRELUDE_FLAGS, *PRELUDE]
    told += [environment.get(name, "") for name in VARIABLES]
    name = hashlib.sha256("\0".join(told).encode()).hexdigest()[:40]
    folder = store([wrapper]) / f"prelude-{name}"
    header = folder / "prelude.h"
    clang = "clang" in environment.get("HEDDLE_CXX", "")
    precompiled = folder / f"prelude.h.{'pch' if clang else 'gch'}"
    if precompiled.exists():
        return header
    folder.mkdir(parents=True, exist_ok=True)
    # Once: Clang looks at the time of its last change.
    with contextlib.suppress(FileExistsError), open(header, "x", encoding="utf-8") as file:
        file.write("".join(f"#include <{name}>\n" for name in PRELUDE))
    new = tempfile.mktemp(dir=folder, prefix="new-")
    made = run([wrapper, *PRELUDE_FLAGS, "-x", "c++-header", header, "-o", new], folder, environment)
    if made.returncode != 0:
        return None
    os.replace(new, precompiled)
    return header

"""The options that the documents and heddle::Options name are those of the option table."""

import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE_DIR"])
PAGES = sorted(
    [SOURCE / name for name in ("README.md", "HACKING.md", "CONTRIBUTING.md")]
    + list((SOURCE / "docs").glob("*.md"))
)

# Options that belong to other commands: the command must stand before them.
OF_OTHERS = {
    "heddle": {"--version"},  # of no verb
    "heddle help": {"--markdown", "--completion", "--man"},  # prints them, for other programs
    "heddle VERB": {"--help"},
    "heddle-c++": {"--heddle-print", "--wrap"},  # the latter is the linker's: -Wl,--wrap=main
    "gdb": {"--args"},
    "run": {"--args"},  # gdb, in a continued line: -ex run --args
    "cmake": {"--build", "--preset", "--install", "--prefix"},
    "ctest": {"--preset", "--test-dir", "--output-junit"},
    "./dev test": {"--all"},
    "pkg-config": {"--cflags", "--libs"},
    "man": {"--warnings"},
    "mkdocs": {"--strict"},
    "tests/libraries/check.py": {"--update"},
    "--gtest_filter": {"--gtest_filter"},  # of the program behind heddle run
    "valgrind": {"--tool", "--xml", "--xml-file"},
    "cppcheck": {"--xml"},
    "tests/snippets.py": {"--update"},
    "tests/cli/reduction_random.py": {"--seeds", "--minimise", "--divided"},
    "tests/races/check.py": {"--runs", "--all-builds"},
    "tests/cli/retries_random.py": {"--seeds", "--level"},
    "tests/cli/fuzz_programs.py": {"--seeds", "--minimise", "--compile"},
    "tests/cli/page.py": {"--screenshots"},
    "tests/cli/oracle_random.py": {"--subtrees"},
    "tests/cli/machines.py": {"--faults", "--bound"},
    "tests/cli/matching.py": {"--seeds", "--minimise"},
    "tests/cli/wild_writes.py": {"--count", "--seed"},
    "tests/cli/mutated_files.py": {"--count"},
    "tests/cli/chaos.py": {"--kills"},
    "./dev fuzz": {"--seconds"},
    "bwrap": {"--unshare-all", "--die-with-parent", "--ro-bind", "--tmpfs", "--dev", "--proc", "--bind", "--chdir"},
}
# Stands for all options.
PLACEHOLDERS = {"--name"}
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9_-]*")
failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def table():
    """Each option with its verbs."""
    rows = re.findall(r"^\| `(--[a-z-]+)[^`]*` \| ([a-z0-9, ]+) \|", run("heddle", "help", "--markdown"), re.M)
    return {option: set(verbs.split(", ")) for option, verbs in rows}


def in_help(verb):
    """The options that it explains, and those that it names by topic."""
    text = run("heddle", verb, "--help")
    found = set(re.findall(r"^  (--[a-z-]+)", text, re.M))
    for line in text.partition("The others, by topic")[2].splitlines():
        if re.fullmatch(r"  ([a-z]+)? +(--[a-z-]+ ?)+", line):
            found.update(OPTION.findall(line))
    return found


def code(text):
    """(line, code) of what stands in backticks, and of the lines of fenced and indented blocks of commands.

    Only commands count in a block: what a program is made of, or prints, names no options of ours.
    """
    fence = None
    continued = ""
    prose = ["" for _ in text.split("\n")]
    for number, line in enumerate(text.split("\n")):
        opened = re.match(r"```(\w*)", line)
        if opened and fence is None:
            fence = opened[1]
            continue
        if line.startswith("```"):
            fence = None
            continue
        indented = fence is None and re.match(r"    (heddle|cmake|ctest|\./dev)\b", line)
        if fence in ("sh", "console", "bash") or indented:
            if continued == "" and fence == "console" and not line.startswith("$ "):
                continue
            command = continued + line.strip()
            if command.endswith("\\"):
                continued = command[:-1]
            else:
                continued = ""
                yield number + 1, command.removeprefix("$ ")
        elif fence is None:
            prose[number] = line
    # Backticks may stand around the end of a line.
    whole = "\n".join(prose)
    for found in re.finditer(r"`([^`]+)`", whole):
        yield whole.count("\n", 0, found.start()) + 1, found[1].replace("\n", " ")


def belongs_to_another(words, option):
    return any(
        option in options and re.search(rf"(?<![\w-]){re.escape(command)}(?![\w-])", words)
        for command, options in OF_OTHERS.items()
    )


def sentences(text):
    """(line, sentence) of the prose."""
    for found in re.finditer(r"\S.*?(?:[.:]\s|\n\n|\Z)", text, re.S):
        yield text.count("\n", 0, found.start()) + 1, " ".join(found[0].split())


options = table()
expect(len(options) > 30, "`heddle help --markdown` is not understood")
for verb in ("run", "replay", "show", "compare", "gtest", "catch2", "doctest", "doctor"):
    of_verb = {option for option, verbs in options.items() if verb in verbs}
    expect(
        of_verb == in_help(verb),
        f"`heddle {verb} --help` and `heddle help --markdown` differ: {sorted(of_verb ^ in_help(verb))}",
    )

header = (SOURCE / "include/heddle/heddle.h").read_text()
functions = {f"--{name}" for name in re.findall(r'Options& \w+\([^)]*\) \{ return set\("([a-z-]+)"', header)}
of_run = {option for option, verbs in options.items() if "run" in verbs}
# A search over many machines is the command's alone: programs that call heddle::check need no Redis.
of_run -= {"--on", "--password-file", "--redis-memory", "--lost-after"}
expect(functions == of_run, f"heddle::Options and the options of `heddle run` differ: {sorted(functions ^ of_run)}")

reference = (SOURCE / "docs/reference.md").read_text()
for option in options:
    expect(f"`{option}" in reference, f"docs/reference.md does not name {option}")

named = 0
for page in PAGES:
    text = page.read_text()
    name = page.relative_to(SOURCE)
    for line, words in code(text):
        verb = re.search(r"\bheddle (run|replay|show|compare|gtest|catch2|doctest|doctor)\b", words)
        for option in OPTION.findall(words):
            named += 1
            where = f"{name}:{line}: {option} in `{words}`"
            is_gtest = option.startswith("--gtest_")
            if option in PLACEHOLDERS or is_gtest or belongs_to_another(words, option):
                continue
            expect(option in options, f"{where}: there is no such option")
            if option in options and verb is not None:
                expect(verb[1] in options[option], f"{where}: no option of `heddle {verb[1]}`")
    for line, sentence in sentences(text):
        expect(
            not re.search(r"\bno (partial-order )?reduction yet\b", sentence),
            f"{name}:{line}: there is reduction: {sentence}",
        )
expect(named > 100, "the pages are not understood")

print("\n".join(failures))
sys.exit(1 if failures else 0)

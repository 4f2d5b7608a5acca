#!/usr/bin/env python3
"""Two builds make the same executions: every test program is searched with both, in many ways, and what
--list-executions, --json and the exit code tell must be the same, byte for byte but for times.

For changes that are to change nothing:
  python3 tests/same_executions.py ../before/build/release build/release [--only fair] [--executions 200]

Programs are compiled once, with the first build, and run with the library of each. A build is a folder with
bin/ and lib/ in it: a copy of the two is enough. Give copies whose paths are equally long: a longer environment moves
main's stack, and with it the names of the arguments that --accesses all sees.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
ORDERS = ["pb", "dpor", "ss", "mdpor", "rand", "ss,mdpor", "mdpor,pb"]
WAYS = [
    "",
    "--strategy dfs",
    "--strategy dfs --reduce dpor",
    "--strategy dfs --reduce dpor --sleep-sets off",
    "--strategy random --seed 3",
    "--strategy dfs --preemptions 1",
    "--strategy dfs --delays 2",
    "--strategy dfs --depth 6",
    "--races explore",
    "--accesses all",
    "--fair off --max-steps 500",
    "--fair 2",
    "--spurious",
    "--yield-after 7",
    "--isolation fork",
    "--jobs 2",
    *(f"--strategy best-first --order {order}" for order in ORDERS),
    *(f"--strategy best-first --reduce dpor --order {order}" for order in ORDERS),
]
WORDS = {"message", "notes", "hint", "unsupported"}
# What a time decides, or is one.
TIMED = {"seconds", "executions_per_second", "heddle", "schedule", "saved", "replay"}


def arguments():
    parser = argparse.ArgumentParser(description="Compares the executions that two builds make.")
    parser.add_argument("builds", nargs=2, type=pathlib.Path, metavar="BUILD")
    parser.add_argument("--only", default="", help="programs with this in their path")
    parser.add_argument("--executions", type=int, default=50, help="of each search")
    parser.add_argument("--jobs", type=int, default=2, help="searches at a time")
    parser.add_argument("--other-memory", action="store_true", help="what the search tree takes may differ")
    parser.add_argument("--other-words", action="store_true", help="messages, and keys of failures, may differ")
    return parser.parse_args()


def commands_of(source):
    """What the program is compiled with, and the arguments with which its tests run it."""
    text = source.read_text()
    flags, calls = None, []
    for line in re.findall(r"^// RUN: (.*)$", text, re.M):
        compiled = re.match(r"%(cxx|cc) (.*)%s(.*?)-o (\S+)(.*)$", line)
        if compiled and flags is None and not re.search(r"[;&|$`]", line):
            flags = (compiled[1], shlex.split(compiled[2] + compiled[3] + compiled[5]), compiled[4])
        called = re.match(r"%heddle run (.*)$", line)
        if called and flags and not re.search(r"[;&|$`<>]", line):
            words = shlex.split(called[1])
            if flags[2] in words:
                calls.append(tuple(words[words.index(flags[2]) + 1 :]))
    return flags, list(dict.fromkeys(calls or [()]))[:2]


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(inner) for key, inner in value.items() if key not in TIMED}
    if isinstance(value, list):
        return [without_times(inner) for inner in value]
    return value


def without_words(value):
    if isinstance(value, dict):
        return {key: without_words(inner) for key, inner in value.items() if key not in WORDS}
    if isinstance(value, list):
        return [without_words(inner) for inner in value]
    return "" if isinstance(value, str) and " " in value else value


def search(build, program, given, way, folder):
    out = pathlib.Path(tempfile.mkdtemp(dir=folder))
    command = [build / "bin" / "heddle", "run", "--quiet", "--keep-going", "--executions", given.executions]
    if "--max-steps" not in way:
        command += ["--max-steps", 1000]
    command += ["--hang-after", 3, "--list-executions", out / "list", "--json", out / "json", *way.split(), "--out", out, "--"]
    environment = dict(os.environ, LD_LIBRARY_PATH=str(build / "lib"), HEDDLE_LIBRARY_PATH="")
    ran = subprocess.run([str(word) for word in [*command, *program]], env=environment, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=out, timeout=600)
    # Opened early, and empty if the program is refused.
    written = (out / "json").read_text() if (out / "json").exists() else ""
    report = json.loads(written) if written else ran.stdout.decode(errors="replace")
    listed = (out / "list").read_text() if (out / "list").exists() else ""
    if given.other_words:
        report = without_words(report)
        # Fingerprint, sequence, ending, steps.
        listed = "".join(" ".join(w for i, w in enumerate(line.split()) if i != 3) + "\n" for line in listed.splitlines())
    if given.other_memory and isinstance(report, dict):
        report.pop("memory", None)
    report = json.loads(json.dumps(without_times(report)).replace(str(out), "OUT"))
    return ran.returncode, listed, report


def difference(before, after):
    if before[0] != after[0]:
        return f"exit code {before[0]}, then {after[0]}"
    if before[1] != after[1]:
        pairs = zip((before[1] + "\n").splitlines(), (after[1] + "\n").splitlines())
        for number, (a, b) in enumerate(pairs):
            if a != b:
                return f"execution {number}: {a}, then {b}"
        return f"{before[1].count(chr(10))} executions, then {after[1].count(chr(10))}"
    if before[2] != after[2]:
        if isinstance(before[2], dict) and isinstance(after[2], dict):
            keys = [key for key in before[2] | after[2] if before[2].get(key) != after[2].get(key)]
            return "; ".join(f"{key}: {before[2].get(key)}, then {after[2].get(key)}" for key in keys)[:1000]
        return f"{before[2]}, then {after[2]}"[:1000]
    return ""


def check(source, given, folder):
    """How many searches were compared, and what differs."""
    flags, calls = commands_of(source)
    if flags is None:
        return 0, []
    place = pathlib.Path(tempfile.mkdtemp(dir=folder))
    program = place / "program"
    wrapper = given.builds[0] / "bin" / ("heddle-c++" if flags[0] == "cxx" else "heddle-cc")
    words = [word.replace("%S", str(source.parent)) for word in flags[1]]
    built = subprocess.run([wrapper, *words, source, "-o", program], capture_output=True, cwd=place)
    if built.returncode != 0:
        return 0, []
    differences, count = [], 0
    for call in calls:
        for way in WAYS:
            both = [search(build, [program, *call], given, way, place) for build in given.builds]
            problem = difference(*both)
            # What the program does by chance is not the same in one build either.
            if problem and not difference(search(given.builds[0], [program, *call], given, way, place), both[0]):
                differences.append(f"{source.relative_to(PROGRAMS)} {' '.join(call)}: {way or '(no options)'}: {problem}")
            count += 1
    return count, differences


def main():
    given = arguments()
    given.builds = [build.resolve() for build in given.builds]
    sources = [s for s in sorted(PROGRAMS.rglob("*.c*")) if given.only in str(s) and s.suffix in (".c", ".cc")]
    compared, all_differences = 0, []
    with tempfile.TemporaryDirectory(prefix="heddle-same-") as folder:
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            for source, result in zip(sources, pool.map(lambda s: check(s, given, folder), sources)):
                count, differences = result
                compared += count
                for line in differences:
                    print(line, flush=True)
                all_differences += differences
    print(f"{len(sources)} programs, {compared} searches compared, {len(all_differences)} differ")
    return 1 if all_differences else 0


if __name__ == "__main__":
    sys.exit(main())

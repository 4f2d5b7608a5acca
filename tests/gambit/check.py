#!/usr/bin/env python3
"""The libraries of bench/gambit: right as they are, in random executions; with each bug they compile, and their first execution
passes all the same. (That a search finds the bug is what `./dev bench gambit` measures.)

usage: check.py [--shard PART/PARTS]
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "bench", "gambit"))
import suite

EXECUTIONS = 200


def failures(program, executions, *options):
    command = [os.path.join(os.environ["HEDDLE_BIN_DIR"], "heddle"), "run", "--quiet", "--json", "-", "--executions",
               str(executions), *options, str(program)]
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, cwd=program.parent)
    if ran.returncode not in (0, 1):
        return [f"exit code {ran.returncode}: {ran.stderr.decode()}"]
    report = json.loads(ran.stdout)
    found = [f"{failure['kind']}: {failure['message']}" for failure in report["failures"]]
    if not found and report["executions"] < executions:
        found.append(f"only {report['executions']} executions")
    if report["cut"]:
        found.append(f"{report['cut']} executions do not end")
    return found


def check(test, bug):
    folder = pathlib.Path.cwd()
    if bug is None:
        return failures(test.compile(folder), EXECUTIONS, "--strategy", "random")
    return failures(test.compile(folder, bug.number), 1, "--strategy", "dfs")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--shard", default="1/1")
    part, parts = (int(number) for number in parser.parse_args().shard.split("/"))
    tests = suite.tests()[part - 1::parts]
    variants = [(test, bug) for test in tests for bug in [None, *test.bugs]]
    with concurrent.futures.ThreadPoolExecutor(2) as workers:
        results = list(workers.map(lambda variant: check(*variant), variants))
    bad = 0
    for (test, bug), found in zip(variants, results):
        for text in found:
            bad += 1
            print(f"{test.source.name}, {f'bug {bug.number}' if bug else 'no bug'}: {text}")
    print(f"{len(tests)} tests, {sum(len(test.bugs) for test in tests)} bugs, {bad} problems")
    return 1 if bad or not tests else 0


sys.exit(main())

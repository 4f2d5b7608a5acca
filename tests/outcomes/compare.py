"""Builds the programs of this folder, has heddle search each, and compares the set of outcomes that
it prints over all executions with the set that its model has. Then runs them natively: each outcome
must be in the set.
"""

import json
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FLAGS = ["-std=c++20", "-O1", "-g", "-Wall", "-Wextra", "-Werror"]
# libatomic: for atomics of 16 bytes.
LIBRARIES = ["-latomic"]


def bin_dir():
    return pathlib.Path(os.environ["HEDDLE_BIN_DIR"]).resolve()


def build(compiler, binary):
    command = [compiler, *FLAGS, HERE / "programs.cc", "-o", binary, *LIBRARIES]
    subprocess.run(command, check=True)
    return binary


def printed(text):
    lines = (line.partition("outcome") for line in text.splitlines())
    return {rest.strip() for before, word, rest in lines if word and not before}


def searched(case, binary):
    """The outcomes under heddle, how many executions that took, and what is wrong with them."""
    with tempfile.TemporaryDirectory(prefix="heddle-outcomes-") as directory:
        report = pathlib.Path(directory) / "report.json"
        command = [bin_dir() / "heddle", "run", "--strategy", "dfs", "--keep-going", "--quiet"]
        command += ["--preemptions", "none" if case.bound is None else str(case.bound)]
        if case.steps is not None:
            command += ["--max-steps", str(case.steps)]
        command += ["--show-output", "--json", report, "--out", directory, *case.options]
        command += [binary, case.program]
        result = subprocess.run(command, capture_output=True, text=True, cwd=directory)
        if result.returncode not in (0, 1):
            return set(), 0, [f"exit code {result.returncode}\n{result.stdout}{result.stderr}"]
        content = json.loads(report.read_text(encoding="utf-8"))
    outcomes, problems = printed(result.stdout), []
    for failure in content["failures"]:
        if failure["kind"] == "deadlock":
            outcomes.add("deadlock")
        else:
            problems.append(f"{failure['kind']} at {failure['location']}: {failure['message']}")
    # Cut executions are all that may be missing.
    if not content["coverage"]["complete"] and case.steps is None:
        problems.append("the search is not complete")
    return outcomes, content["executions"], problems


def run_natively(case, binary):
    command = [binary, case.program, str(case.native_runs)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if result.returncode != 0:
        return set(), [f"natively: exit code {result.returncode}\n{result.stderr}"]
    return printed(result.stdout), []


def differences(case, controlled, native):
    """What is wrong with a case, and the numbers of executions and of outcomes."""
    expected = case.outcomes()
    found, executions, problems = searched(case, controlled)
    problems += [f"heddle does not find: {o}" for o in sorted(expected - found)]
    more = found - expected - case.beyond
    problems += [f"heddle finds what the model has not: {o}" for o in sorted(more)]
    if case.native_runs > 0:
        natively, failures = run_natively(case, native)
        problems += failures
        problems += [f"natively, not in the model: {o}" for o in sorted(natively - expected)]
    return problems, executions, len(expected)

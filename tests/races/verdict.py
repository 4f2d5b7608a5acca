"""Heddle's verdict on a program of the corpus, and what is wrong with it."""

import json
import os
import pathlib
import subprocess

SEARCH = ["--strategy", "dfs", "--preemptions", "2", "--seconds", "60"]


def heddle(*words):
    command = [pathlib.Path(os.environ["HEDDLE_BIN_DIR"]) / "heddle", *words]
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


def line_of(witness, source):
    """The innermost line of the program itself: an access may be made in a header of the library."""
    for frame in witness["stack"]:
        if frame["file"].endswith("/" + source):
            return frame["line"]
    return None


def judge(program, binary):
    """Runs the search. What is not as it must be, as text, or nothing; and the seconds it took."""
    out = pathlib.Path(f"{binary}.out")
    report = pathlib.Path(f"{binary}.json")
    ran = heddle(
        "run", *SEARCH, *program.search, "--quiet", "--json", report, "--out", out, binary
    )
    shown = f"{ran.stdout[-3000:]}{ran.stderr[-2000:]}"
    if ran.returncode != int(program.racy):
        return f"heddle run: exit code {ran.returncode}\n{shown}", 0.0
    result = json.loads(report.read_text(encoding="utf-8"))
    problem = wrong_race(program, result) if program.racy else wrong_pass(result)
    return (f"{problem}\n{shown}" if problem else ""), result["seconds"]


def wrong_pass(result):
    if result["verdict"] != "passed" or not result["coverage"]["complete"]:
        return f"the search is not complete: {result['verdict']}"
    return ""


def wrong_race(program, result):
    failure = result["failures"][0]
    if failure["kind"] not in program.kinds:
        return f"heddle run: {failure['kind']}, and not {' or '.join(sorted(program.kinds))}"
    if failure["kind"] == "data-race":
        accesses = [w for w in failure["witnesses"] if w["role"] != "allocated"]
        lines = [line_of(witness, program.path.name) for witness in accesses]
        if len(lines) != 2 or not program.marks.issuperset(lines):
            return f"heddle run: lines {lines} race, and not those of {sorted(program.marks)}"
        if len(program.marks) == 2 and not program.with_itself and len(set(lines)) == 1:
            return f"heddle run: line {lines[0]} with itself, and not with the other one marked"
    again = heddle("replay", "--trust", "--times", "2", failure["schedule"])
    if again.returncode != 1 or "reproduced 2 times" not in again.stdout:
        return f"heddle replay: exit code {again.returncode}\n{again.stdout}{again.stderr}"
    return ""

"""Has heddle search programs of race_model.py to the end, and compares with race_oracle.py: whether
there is a race, the number of executions, how many of them race, and which lines."""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import tempfile

import race_model
import race_oracle

HERE = pathlib.Path(__file__).resolve().parent
WORKERS = 2  # the machines that run the tests have two cores


def build(rendered, directory, compiler, level):
    source, binary = directory / "racing.cc", directory / "racing"
    source.write_text(rendered.text, encoding="utf-8")
    command = [pathlib.Path(os.environ["HEDDLE_BIN_DIR"]) / "heddle-c++", "-std=c++20", level, "-g"]
    command += ["-Wall", "-Wextra", "-Werror", "-I", HERE, source, "-o", binary]
    subprocess.run(command, check=True, env={**os.environ, "HEDDLE_CXX": compiler})
    return binary


def line_of(witness):
    for frame in witness["stack"]:
        if frame["file"].endswith("/racing.cc"):
            return frame["line"]
    return None


def found(binary, number):
    report = f"{binary}.{number}.json"
    command = [pathlib.Path(os.environ["HEDDLE_BIN_DIR"]) / "heddle", "run", "--strategy", "dfs"]
    command += ["--preemptions", "none", "--keep-going", "--quiet", "--json", report]
    command += ["--out", f"{binary}.{number}.out", binary, str(number)]
    ran = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if ran.returncode not in (0, 1):
        return None, f"exit code {ran.returncode}\n{ran.stdout[-2000:]}{ran.stderr}"
    return json.loads(pathlib.Path(report).read_text(encoding="utf-8")), ""


def differences(ours, theirs):
    if not theirs["coverage"]["complete"]:
        yield "the search is not complete"
    kinds = {failure["kind"] for failure in theirs["failures"]}
    if kinds - {"data-race"}:
        yield f"heddle says {', '.join(sorted(kinds))}"
    pairs = {
        frozenset(map(line_of, failure["witnesses"]))
        for failure in theirs["failures"]
        if failure["kind"] == "data-race"
    }
    if bool(pairs) != (ours.racing > 0):
        yield f"the oracle says {ours.racing} executions race, heddle that lines {shown(pairs)} do"
    elif not pairs <= ours.pairs:
        yield f"heddle says that lines {shown(pairs)} race, the oracle {shown(ours.pairs)}"
    if theirs["executions"] != ours.executions:
        yield f"the oracle makes {ours.executions} executions, heddle {theirs['executions']}"
    if theirs["failing_executions"] != ours.racing:
        yield f"the oracle says {ours.racing} executions race, heddle {theirs['failing_executions']}"


def shown(pairs):
    return sorted(sorted(map(str, pair)) for pair in pairs)


def check(programs, compiler="g++", level="-O0", limit=1_000_000):
    """Compares all of them; prints what differs. True: nothing does."""
    rendered = race_model.Rendered(programs)
    with tempfile.TemporaryDirectory(prefix="heddle-races-") as name:
        binary = build(rendered, pathlib.Path(name), compiler, level)

        def check_one(number):
            theirs, problem = found(binary, number)
            ours = race_oracle.enumerate_all(rendered.code[number], limit)
            problems = [problem] if problem else list(differences(ours, theirs))
            return ours, problems

        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            checks = list(pool.map(check_one, range(len(programs))))
    bad = 0
    for number, (program, (_, problems)) in enumerate(zip(programs, checks)):
        if not problems:
            continue
        bad += 1
        code = rendered.code[number]
        first, last = code[0][0].line - 6, max(i.line for thread in code for i in thread) + 1
        print(program.name, *problems, sep="\n  ")
        for line in range(first, last + 1):
            print(f"{line + 1:6}  {rendered.lines[line]}")
    racing = sum(ours.racing > 0 for ours, _ in checks)
    executions = sum(ours.executions for ours, _ in checks)
    print(
        f"{compiler} {level}: {len(programs)} programs, {racing} race, {bad} differ; "
        f"{executions} executions"
    )
    return bad == 0

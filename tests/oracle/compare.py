"""Builds rendered programs, has heddle search them, and compares with what the oracle computes.

With the fair scheduler, which looks at each yield or at each so many-th (`every`), or without it
(None). For each program and each bound on preemptions: the number of executions, how many of them
end in which way, each set of final values with the number of executions that give it, and the number of
executions that are different (`distinct`).
"""

import atexit
import concurrent.futures
import functools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
from collections import Counter

import enumerator
import equivalence
import fair
import machine
import render

BOUNDS = (None, 0, 1, 2)
HERE = pathlib.Path(__file__).resolve().parent
# Two: the machines that run the tests have two cores.
WORKERS = 2


class Mismatch(Exception):
    pass


def bin_dir():
    return pathlib.Path(os.environ["HEDDLE_BIN_DIR"]).resolve()


def build(programs, directory, compiler="g++", **how):
    """One binary for all of them; what else there is to say is for render()."""
    return build_text(render.render(programs, **how), directory, compiler)


@functools.cache
def built_once(text, compiler):
    """For all comparisons of the same programs. Where it stands is removed in the end."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix="heddle-oracle-"))
    if "HEDDLE_ORACLE_KEEP" in os.environ:
        print(f"kept: {directory}")
    else:
        atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return build_text(text, directory, compiler)


def build_text(text, directory, compiler):
    source, binary = directory / "programs.cc", directory / "programs"
    source.write_text(text, encoding="utf-8")
    command = [bin_dir() / "heddle-c++", "-std=c++20", "-O1", "-g", "-Wall", "-Wextra", "-Werror"]
    command += ["-I", HERE, source, "-o", binary]
    subprocess.run(command, check=True, env={**os.environ, "HEDDLE_CXX": compiler})
    return binary


def machine_of(program, every):
    plain = machine.Machine(program)
    return plain if every is None else fair.FairMachine(plain, every)


def expected(program, bound, every):
    model = machine_of(program, every)
    endings = enumerator.histogram(model, bound)
    finals, kinds = Counter(), Counter()
    for ending, count in endings.items():
        kinds[ending.kind] += count
        if ending.values is not None:
            finals[ending.values] += count
    finished, pruned = kinds.pop("finished", 0), kinds.pop("pruned", 0)
    steps, most = enumerator.steps(model, bound)
    return {
        "executions": endings.total(),
        "pruned": pruned,
        "failing_executions": endings.total() - finished - pruned,
        "failure kinds": sorted(kinds),
        "final values": finals,
        "steps": steps,
        "max_steps": most,
        "distinct": equivalence.classes(model, bound),
    }


def found(binary, number, bound, every, options=()):
    with tempfile.TemporaryDirectory(prefix="heddle-oracle-") as directory:
        report = pathlib.Path(directory) / "report.json"
        command = [bin_dir() / "heddle", "run", "--strategy", "dfs", "--keep-going", "--quiet"]
        command += ["--preemptions", "none" if bound is None else str(bound), "--show-output"]
        # The oracle knows values, not orders; its programs may race.
        command += ["--races", "ignore", "--fair", "off" if every is None else str(every)]
        command += ["--json", report, "--out", directory, *options, binary, str(number)]
        result = subprocess.run(command, capture_output=True, text=True, cwd=directory)
        if result.returncode not in (0, 1):
            raise Mismatch(f"exit code {result.returncode}\n{result.stdout[-2000:]}{result.stderr}")
        content = json.loads(report.read_text(encoding="utf-8"))
    too_far = [f for f in content["failures"] if bound is not None and f["preemptions"] > bound]
    if not content["coverage"]["complete"] or too_far:
        raise Mismatch(f"not complete, or beyond the bound:\n{json.dumps(content, indent=2)}")
    lines = (line.partition("final ") for line in result.stdout.splitlines())
    return {
        "executions": content["executions"],
        "pruned": content["pruned"],
        "failing_executions": content["failing_executions"],
        "failure kinds": sorted({failure["kind"] for failure in content["failures"]}),
        "final values": Counter(values for before, word, values in lines if word and not before),
        "steps": content["steps"],
        "max_steps": content["max_steps"],
        "distinct": content["distinct"],
        "failures": len(content["failures"]),
    }


def differences(ours, theirs):
    for field, value in ours.items():
        if field == "final values":
            yield from different_values(value, theirs[field], theirs["failures"])
        elif theirs[field] != value:
            yield f"  {field}: the oracle says {value}, heddle {theirs[field]}"


def different_values(ours, theirs, failures):
    """A failure that is reported is run once more for its details, and may print its line again."""
    again = (theirs - ours).total()
    if ours <= theirs and ours.keys() == theirs.keys() and again <= failures:
        return
    for values in sorted(ours.keys() | theirs.keys()):
        if ours[values] != theirs[values]:
            yield (
                f"  final values `{values}`: the oracle says {ours[values]} executions, "
                f"heddle {theirs[values]}"
            )


def check_program(binary, number, program, known, bounds, every, options):
    """What is wrong with the program, as text; how many executions were made; and what was expected, by bound: `known`,
    and what it does not have."""
    problems, executions = [], 0
    ours = {bound: known.get(bound) or expected(program, bound, every) for bound in bounds}
    for bound, wanted in ours.items():
        head = f"preemptions {'none' if bound is None else bound}:"
        try:
            theirs = found(binary, number, bound, every, options)
            executions += theirs["executions"]
            problems += [f"{head}\n{d}" for d in differences(wanted, theirs)]
        except Mismatch as error:
            problems.append(f"{head} {error}")
    return "\n".join(problems), executions, known | ours


# What was expected of programs that have been compared before, by program and `every`, then by bound: another compiler,
# or another option of heddle run, changes nothing about it.
EXPECTED = {}


def check(programs, compiler="g++", options=(), every=None, only=lambda program: True, bounds=BOUNDS):
    """Compares all of them, or those that `only` says; prints what differs. True: nothing does. Options are for heddle
    run."""
    begin = time.monotonic()
    binary = built_once(render.render(programs), compiler)
    built = time.monotonic()
    numbered = [(number, program) for number, program in enumerate(programs) if only(program)]
    keys = [(str(program), every) for _, program in numbered]
    known = [EXPECTED.get(key, {}) for key in keys]
    with concurrent.futures.ProcessPoolExecutor(WORKERS) as pool:
        check_one = functools.partial(check_program, binary, bounds=bounds, every=every, options=options)
        checks = list(pool.map(check_one, *zip(*numbered), known))
    EXPECTED.update({key: ours for key, (_, _, ours) in zip(keys, checks)})
    bad = 0
    for (number, program), (problems, _, _) in zip(numbered, checks):
        if problems:
            bad += 1
            print(f"{program.name} (argument {number}):\n{program}\n{problems}\n", flush=True)
    print(
        f"{' '.join([compiler, *options])}: {len(numbered)} programs, {bad} differ; "
        f"{sum(executions for _, executions, _ in checks)} executions; "
        f"built in {built - begin:.1f} s, compared in {time.monotonic() - built:.1f} s",
        flush=True,
    )
    return bad == 0

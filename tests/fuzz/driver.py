"""Builds the interpreter of the fuzzer, runs it, and reads what it tells."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, field

import notation

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import compiled

FLAGS = ["-std=c++20", "-O1", "-g1", "-mcx16"]
SHORT = 300.0  # seconds, for one or a few programs
BATCH = 250  # programs that are searched together; one search can choose from 255
WORKERS_PROGRAM = "interpreter"


def bin_dir():
    return pathlib.Path(os.environ["HEDDLE_BIN_DIR"]).resolve()


def scratch():
    """Lists of executions are written and read often."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def compiler_command(sources, binary):
    return [bin_dir() / "heddle-c++", *FLAGS, "-Wall", "-Wextra", *sources, "-o", binary, "-latomic"]


def compile_source(sources, binary, compiler):
    """Without warnings: the programs are wrong in many ways."""
    command = [*compiler_command(sources, binary), "-w"]
    subprocess.run(command, check=True, env={**os.environ, "HEDDLE_CXX": compiler})


def build(directory):
    """It takes a while, and serves several tests."""
    binary = directory / WORKERS_PROGRAM
    command = compiler_command(sorted(HERE.glob("interpreter*.cc")), binary)
    done = compiled.compile_with(command, directory, {**os.environ, "HEDDLE_CXX": "g++"})
    sys.stderr.write(done.stderr)
    done.check_returncode()
    return binary


@dataclass
class Result:
    differences: list = field(default_factory=list)  # (number, options, problem)
    skipped: list = field(default_factory=list)
    comparisons: int = 0
    executions: int = 0
    plain: int = 0  # executions of plain searches that were compared with matching ones
    matching: int = 0  # … and of those


def run(command, directory, patience):
    """Its output; None behind it if it did not end well. With a process group of its own, since workers
    of a process that is killed would stay."""
    process = subprocess.Popen(
        command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True, errors="replace",
    )  # fmt: skip
    try:
        output, _ = process.communicate(timeout=patience)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, code = process.communicate()[0], None
    return output, code


def folder_of(interpreter):
    folder = interpreter.parent / "run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def compare(interpreter, programs, ways, bounded, turn, limit=15000, matching=0, batch=BATCH, **more):
    """Compares searches of each program; `more`: subtrees=N and retries=N. If the process that does it dies or hangs, the programs that
    it was at are looked at one by one."""
    result = Result()
    numbers = list(range(len(programs)))
    while numbers:
        folder = folder_of(interpreter)
        (folder / "programs").write_text("".join(f"{programs[i]}\n" for i in numbers), encoding="utf-8")
        command = [interpreter, "--compare", "programs", f"turn={turn}", f"ways={ways}", f"bounded={bounded}"]
        patience = SHORT + 1.5 * len(numbers) if len(numbers) > 1 else SHORT
        command += [f"matching={matching}", f"batch={batch}", f"limit={limit}"]
        command += [f"{name}={count}" for name, count in more.items()]
        output, code = run(command, folder, patience)
        rows = [line.split("\t") for line in output.splitlines()]
        begun = read(rows, numbers, result)
        if code == 0:
            break
        if len(numbers) == 1:
            result.differences.append((numbers[0], "", f"no end, or a bad one: exit code {code}: {output[-500:]}"))
            break
        for number in begun[-1:]:
            for alone in number:
                one = compare(interpreter, [programs[alone]], ways, bounded, turn, limit, matching, **more)
                result.differences += [(alone, way, problem) for _, way, problem in one.differences]
        done = {i for batch in begun for i in batch}
        numbers = [i for i in numbers if i not in done]
        if not begun:
            result.differences.append((0, "", f"the interpreter says: {output[-500:]}"))
            break
    return result


def read(rows, numbers, result):
    """Adds to the result. Returns the batches that were begun, each as a list of numbers."""
    batches = []
    for row in rows:
        if row[0] == "at":
            batches.append([numbers[int(i)] for i in row[1].split(",")])
        elif row[0] == "skipped":
            result.skipped.append(numbers[int(row[1])])
        elif row[0] == "differs":
            result.differences.append((numbers[int(row[1])], row[2], row[3]))
        elif row[0] == "total":
            counts = dict(cell.split() for cell in row[1:])
            result.comparisons += int(counts["comparisons"])
            result.executions += int(counts["executions"])
            result.plain += int(counts["plain"])
            result.matching += int(counts["matching"])
    return batches


def outcomes(interpreter, programs):
    """Of each program what the plain search finds: (failures, final values); None: it is too long."""
    if not programs:
        return []
    folder = folder_of(interpreter)
    (folder / "programs").write_text("".join(f"{program}\n" for program in programs), encoding="utf-8")
    output, _ = run([interpreter, "--outcomes", "programs"], folder, SHORT + len(programs))
    found = [None] * len(programs)
    for line in output.splitlines():
        row = line.split("\t")
        if row[0] == "outcome" and row[2] == "-":
            found[int(row[1])] = (set(row[3].split()), set(row[4:]))
    return found


def outcome_difference(expected, found):
    problems = []
    for name, ours, theirs in zip(("failures", "final values"), expected, found):
        for what, which in (("not found", ours - theirs), ("too many", theirs - ours)):
            if which:
                problems.append(f"{name}: {len(which)} {what}, e.g. {min(which)}")
    return "; ".join(problems)


# Whether smaller programs still differ, for the minimiser.


def still_differs(interpreter, way):
    """In a search with these options, or in the plain one."""

    def check(program):
        folder = folder_of(interpreter)
        (folder / "programs").write_text(f"{program}\n", encoding="utf-8")
        output, code = run([interpreter, "--compare", "programs", f"only={way}"], folder, SHORT)
        return code != 0 or "\ndiffers\t" in output

    return check


def differs_from_model(interpreter, model):
    def check(program):
        (outcome,) = outcomes(interpreter, [program])
        try:
            return outcome is not None and bool(outcome_difference(model.outcomes(program), outcome))
        except (model.Unknown, notation.BadProgram):
            return False

    return check


def ends_of(command, program, folder):
    """What a plain search of the program finds: failures and final values; or the reason why there are none."""
    options = ["--strategy", "dfs", "--keep-going", "--races", "ignore", "--quiet", "--show-output", "--explain", "off"]
    options += ["--accesses", "all"] if program.all_accesses else []
    options += ["--executions", "20000", "--list-executions", folder / "list", "--out", folder / "out"]
    output, code = run([bin_dir() / "heddle", "run", *options, *command], folder, SHORT)
    if code not in (0, 1):
        return f"exit code {code}: {output[-500:]}"
    endings = {line.split()[2] for line in (folder / "list").read_text().splitlines()[1:]}
    finals = {line for line in output.splitlines() if line.startswith("final ")}
    return endings - {"finished", "pruned"}, finals


def compiled_differences(interpreter, programs, render, compilers):
    """What differs between programs interpreted and compiled: (number, compiler, problem)."""
    folder = folder_of(interpreter)
    (folder / "programs.cc").write_text(render(programs), encoding="utf-8")
    for compiler in compilers:
        compile_source([folder / "programs.cc"], folder / compiler, compiler)
    for number, program in enumerate(programs):
        expected = ends_of([interpreter, str(program)], program, folder)
        for compiler in compilers:
            found = ends_of([folder / compiler, str(number)], program, folder)
            broken = next((ends for ends in (expected, found) if isinstance(ends, str)), None)
            problem = broken or outcome_difference(expected, found)
            if problem:
                yield number, compiler, problem

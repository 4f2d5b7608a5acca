"""Distances on the control flow of random programs, read from their machine code, are the shortest paths: at -O0, on
the graph of the source; with optimisation, on a graph made from what objdump prints.

    flow.py [--seeds 1-4] [--levels O0,O1,O2,O3]
"""

import argparse
import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE_DIR"])
PRINT = pathlib.Path(os.environ["HEDDLE_BIN_DIR"]) / "heddle_print_distances"
sys.path.insert(0, str(SOURCE / "tests" / "flow"))
from disassembly import Disassembly
from generate import Program
from shortest import NEVER

# How the program is linked and loaded, by turns.
FORMS = {
    "pie": ["-fPIE", "-pie"],
    "fixed": ["-fno-pie", "-no-pie"],
    "shared": ["-fPIC", "-shared"],
}


def build(program, compiler, level, form):
    suffix = "cc" if program.cxx else "c"
    name = f"program-{compiler}-{level}-{form}"
    pathlib.Path(f"{name}.{suffix}").write_text(program.source())
    functions = [f"void m{i}(void) {{}}" for i in range(program.marks)]
    functions += [f"int c{i}(void) {{ return 0; }}" for i in range(program.conditions)]
    functions += ["void* object(void) { return 0; }", "void keep(void* p) { (void)p; }"]
    pathlib.Path("marks.c").write_text("\n".join(functions) + "\n")
    command = {"gcc": ["gcc", "g++"], "clang": ["clang", "clang++"]}[compiler][program.cxx]
    run("gcc", "-shared", "-fPIC", "marks.c", "-o", "libmarks.so")
    flags = ["-Wl,--build-id=none", f"-{level}", "-fcf-protection=none"]
    if compiler == "gcc" and program.random.random() < 0.5:
        flags[-1] = "-fcf-protection=full"
    run(command, *flags, *FORMS[form], f"{name}.{suffix}", "-o", name, "-L.", "-lmarks", "-Wl,-rpath,.")
    return pathlib.Path(name).resolve()


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def printed(path, unit, targets):
    """Rows of Heddle, by place."""
    words = [",".join(f"{begin:x}-{end:x}" for begin, end in target) for target in targets]
    rows = {}
    for line in run(PRINT, *unit, path, *words).splitlines():
        place, *numbers = line.split()
        rows[int(place, 16)] = [NEVER if number == "-" else int(number) for number in numbers]
    return rows


def compare(what, expected, rows):
    """Both by place; returns how many numbers are the same."""
    count = 0
    for place, numbers in expected.items():
        if place not in rows:
            raise SystemExit(f"{what}: there is no row for {place:x}")
        for column, number in enumerate(numbers):
            if rows[place][column] != number:
                raise SystemExit(
                    f"{what}: at {place:x}, column {column}: {number} expected, {rows[place][column]} printed"
                )
        count += len(numbers)
    return count


def calls_of(code, program):
    """Where each mark is called: lists of (begin, end)."""
    found = [[] for _ in range(program.marks)]
    numbers = {f"m{i}@plt": i for i in range(program.marks)}
    for instruction in code.code:
        number = numbers.get(instruction.symbol)
        if number is not None:
            # A jump may be the last of its function.
            found[number].append((instruction.address, instruction.end or instruction.address + 1))
    return found


def check_source(what, program, path):
    code = Disassembly(path)
    calls = calls_of(code, program)
    if any(len(places) != 1 for places in calls):
        raise SystemExit(f"{what}: a mark is not called once: {calls}")
    graph = program.graph()
    out = graph.outs()
    columns = [out] + [graph.toward({node}, out) for node in graph.mark]
    expected = {code.functions[name]: node for name, node in graph.entry.items() if name != "main"}
    for number, places in enumerate(calls):
        expected[places[0][1] - 1] = graph.behind_mark[number]
    expected = {place: [column[node] for column in columns] for place, node in expected.items()}
    return compare(what, expected, printed(path, ["--calls"], calls))


def check_disassembly(what, program, path):
    code = Disassembly(path)
    code.connect_all()
    calls = [places for places in calls_of(code, program) if places]
    out = code.outs()
    columns = [out]
    for places in calls:
        columns.append(code.toward({code.at[begin] for begin, _ in places}, out))
    starts = {}
    for name, address in code.functions.items():
        if name[0] in "fm" or name.startswith("_ZN2C"):
            if name != "frame_dummy":
                starts[address] = code.at[address]
    for instruction in code.code:
        if instruction.calls and instruction.end and code.functions[instruction.function] in starts:
            starts[instruction.end - 1] = code.at[instruction.end]
    expected = {place: [column[node] for column in columns] for place, node in starts.items()}
    return compare(what, expected, printed(path, [], calls))


THREADS = """
#include <pthread.h>
#include <thread>
extern "C" void m0();
extern "C" void m1();
static void* worker(void*) { m0(); return nullptr; }
int main() {
  pthread_t id;
  pthread_create(&id, nullptr, worker, nullptr);
  std::thread thread([] { m1(); });
  thread.join();
}
"""


def check_threads(compiler, level):
    """Whoever creates a thread is near to what it does."""
    pathlib.Path("threads.cc").write_text(THREADS)
    pathlib.Path("marks.c").write_text("void m0(void) {} void m1(void) {}")
    run("gcc", "-shared", "-fPIC", "marks.c", "-o", "libmarks.so")
    run({"gcc": "g++", "clang": "clang++"}[compiler], f"-{level}", "threads.cc", "-o", "threads", "-L.", "-lmarks")
    code = Disassembly("threads")
    targets = [[(i.address, i.end or i.address + 1) for i in code.code if i.symbol == f"m{k}@plt"] for k in (0, 1)]
    out, *ways = printed("threads", ["--calls"], targets)[code.functions["main"]]
    if NEVER in ways or out == NEVER:
        raise SystemExit(f"threads, {compiler} -{level}: {ways} from main to what its threads do, {out} to its end")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", default="1-2")
    parser.add_argument("--levels", default="O0,O1,O2,O3")
    options = parser.parse_args()
    first, last = map(int, options.seeds.split("-"))
    programs = numbers = 0
    for compiler in ("gcc", "clang"):
        for level in ("O0", "O2"):
            check_threads(compiler, level)
    for seed in range(first, last + 1):
        for index, level in enumerate(options.levels.split(",")):
            for compiler in ("gcc", "clang"):
                form = list(FORMS)[(seed + index) % len(FORMS)]
                program = Program(seed)
                what = f"seed {seed}, {compiler} -{level}, {form}"
                path = build(program, compiler, level, form)
                check = check_source if level == "O0" else check_disassembly
                numbers += check(what, program, path)
                programs += 1
    print(f"{programs} programs, {numbers} distances")
    if numbers < 100 * programs:
        raise SystemExit("these are too few")


main()

"""Programs with plain and atomic accesses, as values, and as C++.

A thread is a tuple of Operations. Plain memory is eight bytes, `cells`, which are read and written in
parts that may overlap; the first four of them may also be used as one atomic (`mixed`). Beside them
there are atomic variables, mutexes, shared mutexes, semaphores and once flags.

    create T, join T
    get AT SIZE, put AT SIZE                     plain
    load X ORDER, store X VALUE ORDER, add X ORDER, exchange X VALUE ORDER,
    cas X EXPECTED DESIRED ORDER FAILURE_ORDER   on variable X, or on MIXED; the result is `last`
    fence ORDER
    lock M, unlock M, trylock M
    wlock S, wunlock S, rlock S, runlock S       shared mutexes
    post P, trywait P                            semaphores, 0 at first
    once O { ... }, if V { ... }                 if: last == V
"""

from typing import NamedTuple

MIXED = -1  # instead of the number of a variable
OBJECTS = 2  # of each kind
CELLS = 8
MIXED_SIZE = 4


class Operation(NamedTuple):
    kind: str
    arguments: tuple = ()
    body: tuple = ()


class Program(NamedTuple):
    name: str
    threads: tuple  # of tuples of Operations; the first is main


class Instruction(NamedTuple):
    kind: str
    arguments: tuple
    line: int  # of the C++
    target: int = -1  # of jumps


STATEMENTS = {
    "create": "threads[{0}] = std::thread(thread_{0});",
    "join": "threads[{0}].join();",
    "get": "get<{1}>({0});",
    "put": "put<{1}>({0});",
    "load": "last = {0}.load({1});",
    "store": "{0}.store({1}, {2});",
    "add": "last = {0}.fetch_add(1, {1});",
    "exchange": "last = {0}.exchange({1}, {2});",
    "cas": "last = compare_exchange({0}, {1}, {2}, {3}, {4});",
    "fence": 'std::atomic_thread_fence({0}); asm volatile("");',
    "lock": "mutexes[{0}].lock();",
    "unlock": "mutexes[{0}].unlock();",
    "trylock": "last = mutexes[{0}].try_lock();",
    "wlock": "shareds[{0}].lock();",
    "wunlock": "shareds[{0}].unlock();",
    "rlock": "shareds[{0}].lock_shared();",
    "runlock": "shareds[{0}].unlock_shared();",
    "post": "sem_post(&semaphores[{0}]);",
    "trywait": "last = sem_trywait(&semaphores[{0}]) == 0;",
    "if": "if (last == {0}) {{",
    "once": "std::call_once(onces[{0}], [&] {{",
}
ENDS = {"if": "}", "once": "});"}
ON_VARIABLES = {"load", "store", "add", "exchange", "cas"}


def statement(operation):
    arguments = [
        f"std::memory_order_{a}" if isinstance(a, str) else a for a in operation.arguments
    ]
    if operation.kind in ON_VARIABLES:
        which = operation.arguments[0]
        arguments[0] = "mixed()" if which == MIXED else f"variables[{which}]"
    text = STATEMENTS[operation.kind].format(*arguments)
    # Clang makes a store of an exchange whose result nobody wants, which ends a release sequence.
    return f'{text} asm volatile("" : : "r"(last));' if text.startswith("last") else text


class Rendered:
    """One C++ source for many programs, the first argument says which is to run; and their code as
    instructions that know their lines in it."""

    def __init__(self, programs):
        self.lines = ['#include "race_prelude.h"', "using namespace races;"]
        self.code = [self.program(n, p) for n, p in enumerate(programs)]
        self.lines += ["int main(int, char** argv) {", "switch (std::atoi(argv[1])) {"]
        for number in range(len(programs)):
            self.lines.append(f"case {number}: program_{number}::thread_0(); return 0;")
        self.lines += ["}", "return 2;", "}", ""]

    @property
    def text(self):
        return "\n".join(self.lines)

    def only(self):
        """Keeps the optimiser from making one of two functions that do the same."""
        return f'asm volatile("# {len(self.lines)}");'

    def program(self, number, program):
        self.lines.append(f"namespace program_{number} {{  // {program.name}")
        threads = range(len(program.threads))
        self.lines += [f"void thread_{t}();" for t in threads]
        code = []
        for thread, operations in enumerate(program.threads):
            self.lines.append(f"void thread_{thread}() {{")
            self.lines.append(f"[[maybe_unused]] int last = 0; {self.only()}")
            instructions = []
            self.operations(operations, instructions)
            code.append(tuple(instructions))
            self.lines.append("}")
        self.lines.append("}")
        return tuple(code)

    def operations(self, operations, code):
        for operation in operations:
            self.lines.append(statement(operation))
            if operation.kind == "once":
                self.lines[-1] += " " + self.only()
            place = len(code)
            code.append(Instruction(operation.kind, operation.arguments, len(self.lines)))
            if operation.kind in ENDS:
                self.operations(operation.body, code)
                self.lines.append(ENDS[operation.kind])
                if operation.kind == "once":
                    code.append(Instruction("once_done", operation.arguments, len(self.lines)))
                code[place] = code[place]._replace(target=len(code))

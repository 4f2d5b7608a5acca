"""Programs of the fuzzer as values; their notation is that of interpreter_program.h, which also has
the table of operations."""

import pathlib
import re
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
TOKEN = re.compile(r"[;|{}]|[^\s;|{}]+")


def operation_table():
    """Of each operation: the number of arguments; v: it has a value, b: it has a body."""
    header = (HERE / "interpreter_program.h").read_text(encoding="utf-8")
    rows = re.findall(r"FUZZ_OP\((\w+), (\d), '(.)'\)", header)
    return {name: (int(arguments), shape) for name, arguments, shape in rows}


TABLE = operation_table()


class BadProgram(Exception):
    pass


@dataclass(frozen=True)
class Operation:
    name: str
    arguments: tuple = ()
    body: tuple = ()

    def __str__(self):
        words = [self.name, *(hex(a) if a > 255 else str(a) for a in self.arguments)]
        inside = ["{ " + sequence(self.body) + " }"] if TABLE[self.name][1] == "b" else []
        return " ".join(words + inside)


@dataclass(frozen=True)
class Program:
    bodies: tuple  # of each thread a tuple of operations; the first is main
    all_accesses: bool = False

    def __str__(self):
        return ("@all " if self.all_accesses else "") + " | ".join(map(sequence, self.bodies))


def sequence(operations):
    return "; ".join(map(str, operations))


def parse(text):
    tokens = TOKEN.findall(text)
    all_accesses = tokens[:1] == ["@all"]
    position = int(all_accesses)

    def operations():
        nonlocal position
        found = []
        while position < len(tokens) and tokens[position] not in "|}":
            name = tokens[position]
            position += 1
            if name == ";":
                continue
            if name not in TABLE:
                raise BadProgram(f"no such operation: {name}")
            count, shape = TABLE[name]
            arguments = tuple(int(word, 0) for word in tokens[position : position + count])
            position += count
            body = ()
            if shape == "b":
                position += 1  # {
                body = operations()
                position += 1  # }
            found.append(Operation(name, arguments, body))
        return tuple(found)

    bodies = [operations()]
    while position < len(tokens) and tokens[position] == "|":
        position += 1
        bodies.append(operations())
    return Program(tuple(bodies), all_accesses)


def all_operations(operations):
    for operation in operations:
        yield operation
        yield from all_operations(operation.body)


def names_in(program):
    return {operation.name for body in program.bodies for operation in all_operations(body)}


def leaves_barrier_empty(program):
    """More threads may drop out of a std::barrier than it expects. What it does then is not defined: it reads what
    another thread writes, so that searches that must not differ may."""
    operations = [operation for body in program.bodies for operation in all_operations(body)]
    drops = [operation.arguments[0] for operation in operations if operation.name == "arrivedrop"]
    made = [operation.arguments for operation in operations if operation.name == "barrier"]
    return any(drops.count(number) > expected for number, expected in made)

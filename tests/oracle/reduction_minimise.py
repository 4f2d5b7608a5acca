"""Makes a program that shows a difference between searches as small as it gets.

Every way to take one thing away is a candidate: a thread, an operation with its body, a body's
braces. All candidates of a round are built as one binary. The smallest that still shows a difference
goes into the next round; when none does, what is left is the answer.
"""

import concurrent.futures
import pathlib
import tempfile

import compare
import model

TIES = {"create", "join", "detach", "tryjoin", "timedjoin"}


def without_operation(operations):
    """All ways to leave out one operation, or to put a body in the place of its operation."""
    for i, operation in enumerate(operations):
        before, after = operations[:i], operations[i + 1 :]
        yield before + after
        if operation.body:
            yield before + operation.body + after
            for body in without_operation(operation.body):
                changed = model.Operation(operation.kind, operation.arguments, body, operation.slot)
                yield before + (changed,) + after


def without_ties(operations, thread):
    """Nobody creates or joins the thread."""
    found = []
    for operation in operations:
        if operation.kind in TIES and operation.arguments == (thread,):
            continue
        body = without_ties(operation.body, thread)
        found.append(model.Operation(operation.kind, operation.arguments, body, operation.slot))
    return tuple(found)


def candidates(program):
    threads = program.threads
    for i in range(1, len(threads)):
        if threads[i]:
            rest = [without_ties(body, i) for body in threads]
            yield (*rest[:i], (), *rest[i + 1 :])
    for i, operations in enumerate(threads):
        for fewer in without_operation(operations):
            yield (*threads[:i], fewer, *threads[i + 1 :])
    if len(threads) > 1 and not threads[-1]:
        yield tuple(without_ties(body, len(threads) - 1) for body in threads[:-1])


def programs(program):
    """The candidates as programs; through the notation, which numbers results anew."""
    seen = set()
    for threads in candidates(program):
        text = str(model.Program(program.name, threads))
        if text in seen:
            continue
        seen.add(text)
        try:
            yield model.program(program.name, text)
        except model.BadProgram:
            continue


def minimise(program, differs):
    """`differs(binary, number)` is run in other processes: whether program `number` does."""
    while True:
        found = sorted(programs(program), key=lambda smaller: len(str(smaller)))
        with tempfile.TemporaryDirectory(prefix="heddle-minimise-") as directory:
            binary = compare.build(found, pathlib.Path(directory), values_at_exit=True)
            with concurrent.futures.ProcessPoolExecutor(compare.WORKERS) as pool:
                answers = list(pool.map(differs, [binary] * len(found), range(len(found))))
        still = [smaller for smaller, answer in zip(found, answers) if answer]
        if not still:
            return program
        program = still[0]

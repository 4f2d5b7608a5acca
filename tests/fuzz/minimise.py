"""Makes a program that shows a difference as small as it gets.

Every way to take one thing away is a candidate: a thread, an operation with its body, a body's
braces. The first that still shows the difference goes into the next round; when none does, what is
left is the answer.
"""

import notation

TIES = {"create", "join", "detach", "cancel"}


def without_operation(operations):
    """All ways to leave out one operation, or to put a body in the place of its operation."""
    for i, operation in enumerate(operations):
        before, after = operations[:i], operations[i + 1 :]
        if operation.name not in TIES:
            yield before + after
        if operation.body:
            if operation.name not in ("once", "oonce"):
                yield before + operation.body + after
            for body in without_operation(operation.body):
                changed = notation.Operation(operation.name, operation.arguments, body)
                yield before + (changed,) + after


def without_thread(operations, thread):
    """Nobody ties to the thread; those behind it have a number less."""
    found = []
    for operation in operations:
        arguments = operation.arguments
        if operation.name in TIES:
            if arguments == (thread,):
                continue
            arguments = (arguments[0] - (arguments[0] > thread),)
        found.append(notation.Operation(operation.name, arguments, without_thread(operation.body, thread)))
    return tuple(found)


def candidates(program):
    bodies = program.bodies
    for thread in range(1, len(bodies)):
        rest = [without_thread(body, thread) for i, body in enumerate(bodies) if i != thread]
        yield notation.Program(tuple(rest), program.all_accesses)
    for i, operations in enumerate(bodies):
        for fewer in without_operation(operations):
            yield notation.Program((*bodies[:i], fewer, *bodies[i + 1 :]), program.all_accesses)
    # Nobody has to wait.
    for i, operations in enumerate(bodies):
        for k, operation in enumerate(operations):
            if operation.name in ("join", "detach"):
                body = operations[:k] + operations[k + 1 :]
                yield notation.Program((*bodies[:i], body, *bodies[i + 1 :]), program.all_accesses)
    if program.all_accesses:
        yield notation.Program(bodies)


def minimise(program, differs):
    """`differs` says of a program whether it shows the difference."""
    tried = {str(program)}
    while True:
        for smaller in candidates(program):
            if str(smaller) in tried:
                continue
            tried.add(str(smaller))
            if differs(smaller):
                program = smaller
                break
        else:
            return program

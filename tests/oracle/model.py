"""Model programs: what the oracle enumerates and what is rendered as C++, from one text.

A program has one line for each thread, `main` first; operations are separated by `;`:

    main: create 1; create 2; join 2; join 1
    1: lock 0; add 0 1; unlock 0
    2: trylock 0; if 1 { store 0 5; unlock 0 }

Objects are numbered, each kind for itself: mutexes, recursive mutexes, conditions, variables
(atomic integers, 0 at first), once flags, function statics and so on. An operation with a result
leaves it in the thread's `last` (0 at first), and it becomes part of the final values. Where a
result is 1 or 0, the operation was done, or not.

    create T, join T, detach T, tryjoin T, timedjoin T (1, 0)
    lock M, unlock M, trylock M, timedlock M (1, 0)
    rlock R, runlock R, rtrylock R, rtimedlock R (1, 0)   on recursive mutexes
    elock E, eunlock E, etrylock E, etimedlock E (1, 0)   on error-checking mutexes
    spinlock P, spintrylock P (1, 0), spinunlock P
    rdlock L, wrlock L, tryrd L, trywr L, timedrd L, timedwr L (1, 0), rwunlock L
                                        on reader-writer locks; 2 and 3 prefer writers
    semwait S, semtrywait S, semtimedwait S (1, 0), sempost S, semvalue S (the value)
    barrier B                           of B + 1 threads (1 for the last that comes, 0 for others)
    fwait X V, ftimedwait X V           futex (1 woken, 0 X is not V, 2 timed out)
    fwake X N                           wakes one, or at most N > 1 (how many)
    wait C M, timedwait C M (1 signalled, 0 timed out), signal C, broadcast C
    load X, store X V, add X V (old value), exchange X V (old value), cas X E D (1 done, 0 not)
    fence, yield, sleep, choose N (which)
    once O { ... }                      std::call_once
    static S                            enters a function whose static S is made by `add S 1`
    if V { ... }, while V { ... }       if, while last == V
    assert V, assume V                  HEDDLE_ASSERT, heddle::assume(last == V)
    leave                               pthread_exit; in main, as its last operation
    exit                                std::exit(0), in any thread
"""

import re
from dataclasses import dataclass

ARGUMENTS = {
    "create": 1, "join": 1, "detach": 1, "tryjoin": 1, "timedjoin": 1,
    "lock": 1, "unlock": 1, "trylock": 1, "timedlock": 1,
    "rlock": 1, "runlock": 1, "rtrylock": 1, "rtimedlock": 1,
    "elock": 1, "eunlock": 1, "etrylock": 1, "etimedlock": 1,
    "spinlock": 1, "spintrylock": 1, "spinunlock": 1,
    "rdlock": 1, "wrlock": 1, "tryrd": 1, "trywr": 1, "timedrd": 1, "timedwr": 1, "rwunlock": 1,
    "semwait": 1, "semtrywait": 1, "semtimedwait": 1, "sempost": 1, "semvalue": 1,
    "barrier": 1, "fwait": 2, "ftimedwait": 2, "fwake": 2,
    "wait": 2, "timedwait": 2, "signal": 1, "broadcast": 1,
    "load": 1, "store": 2, "add": 2, "exchange": 2, "cas": 3,
    "fence": 0, "yield": 0, "sleep": 0, "choose": 1,
    "once": 1, "static": 1, "if": 1, "while": 1, "assert": 1, "assume": 1,
    "leave": 0, "exit": 0,
}  # fmt: skip
WITH_BODY = {"once", "if", "while"}
WITH_RESULT = {
    "trylock", "timedlock", "rtrylock", "timedwait", "load", "add", "exchange", "cas", "choose",
    "tryjoin", "timedjoin", "rtimedlock", "elock", "eunlock", "etrylock", "etimedlock",
    "spintrylock", "rdlock", "wrlock", "tryrd", "trywr", "timedrd", "timedwr",
    "semtrywait", "semtimedwait", "semvalue", "barrier", "fwait", "ftimedwait", "fwake",
}  # fmt: skip

THREADS = 5  # main included
OBJECTS = 4  # of each kind
RESULTS = 12  # of each thread


@dataclass(frozen=True)
class Operation:
    kind: str
    arguments: tuple
    body: tuple = ()  # of Operations
    slot: int = -1  # where its result goes, among those of its thread; -1: it has none

    def __str__(self):
        words = " ".join([self.kind, *map(str, self.arguments)])
        return f"{words} {{ {text_of(self.body)} }}" if self.kind in WITH_BODY else words


@dataclass(frozen=True)
class Program:
    name: str
    threads: tuple  # of tuples of Operations; the first is main

    @property
    def main_leaves(self):
        return bool(self.threads[0]) and self.threads[0][-1].kind == "leave"

    def __str__(self):
        lines = [f"main: {text_of(self.threads[0])}"]
        lines += [f"{i}: {text_of(body)}" for i, body in enumerate(self.threads) if i > 0]
        return "\n".join(lines)


def text_of(operations):
    return "; ".join(map(str, operations))


class BadProgram(Exception):
    pass


def program(name, text):
    """Reads the notation above."""
    threads = []
    for line in filter(None, map(str.strip, text.strip().splitlines())):
        label, colon, body = line.partition(":")
        expected = "main" if not threads else str(len(threads))
        if not colon or label != expected:
            raise BadProgram(f"{name}: a line that begins with `{expected}:` is missing: {line}")
        threads.append(_Reader(name, body).thread())
    if not 1 <= len(threads) <= THREADS:
        raise BadProgram(f"{name}: {len(threads)} threads, not 1 to {THREADS}")
    leaves = text.count("leave")
    found = Program(name, tuple(threads))
    if leaves > 1 or leaves != found.main_leaves:
        raise BadProgram(f"{name}: `leave` is for main, as its last operation")
    return found


class _Reader:
    """Recursive descent over the words of one thread."""

    def __init__(self, name, text):
        self.name = name
        self.words = re.findall(r"[{};]|[^\s{};]+", text)
        self.position = 0
        self.slots = 0

    def thread(self):
        operations = self.operations()
        if self.position != len(self.words):
            raise BadProgram(f"{self.name}: a closing brace too many")
        return operations

    def next(self):
        word = self.words[self.position] if self.position < len(self.words) else ""
        self.position += 1
        return word

    def operations(self):
        found = []
        while self.position < len(self.words) and self.words[self.position] != "}":
            if self.words[self.position] == ";":
                self.position += 1
            else:
                found.append(self.operation())
        return tuple(found)

    def operation(self):
        kind = self.next()
        if kind not in ARGUMENTS:
            raise BadProgram(f"{self.name}: unknown operation `{kind}`")
        try:
            arguments = tuple(int(self.next()) for _ in range(ARGUMENTS[kind]))
        except ValueError as error:
            raise BadProgram(f"{self.name}: `{kind}` needs numbers: {error}") from error
        slot = -1
        if kind in WITH_RESULT:
            slot = self.slots
            self.slots += 1
            if self.slots > RESULTS:
                raise BadProgram(f"{self.name}: more than {RESULTS} results in a thread")
        body = ()
        if kind in WITH_BODY:
            if self.next() != "{":
                raise BadProgram(f"{self.name}: `{kind}` needs a body in braces")
            body = self.operations()
            if self.next() != "}":
                raise BadProgram(f"{self.name}: the body of `{kind}` has no end")
        return Operation(kind, arguments, body, slot)

#!/usr/bin/env python3
"""Random programs for the fuzzer. A seed gives one program, always the same; also its theme.

Programs are small, so that a plain search of all their schedules is short: the number of schedules
is estimated, and operations are left out until it is low enough.

  python3 tests/fuzz/generate.py 1-20      prints the programs of these seeds
"""

import math
import random
import sys

import notation

# How main and the others are tied together; a body of its own goes to each {}. Before main's first
# `create` stands what prepares the objects.
SHAPES = [
    ["create 1; {}; join 1", "{}"],
    ["create 1; {}; join 1", "{}"],
    ["create 1; {}; join 1; {}", "{}"],
    ["create 1; {}", "{}"],
    ["create 1; {}; detach 1; {}", "{}"],
    ["create 1; create 2; join 1; join 2", "{}", "{}"],
    ["create 1; create 2; join 1; join 2", "{}", "{}"],
    ["create 1; create 2; {}; join 1; join 2", "{}", "{}"],
    ["create 1; create 2; {}; join 2; {}", "{}", "{}"],
    ["create 1; {}; create 2; join 1; join 2", "{}", "{}"],
    ["create 1; {}; join 1; create 2; {}; join 2", "{}", "{}"],
    ["create 1; {}; join 1", "create 2; {}; join 2; {}", "{}"],
    ["create 1; {}; join 1", "{}; create 2; {}", "{}"],
    ["create 1; create 2; create 3; join 3; join 2; join 1", "{}", "{}", "{}"],
    ["create 1; join 1", "create 2; {}; join 2", "create 3; {}; join 3", "{}"],
    ["create 1; {}; join 1; create 2; create 3; join 3; join 2", "{}", "{}", "{}"],
]
# Other threads begin after that many have ended.
MANY = [
    ["repeat 66 { create 1; join 1 }; create 2; {}; join 2", "{}", "{}"],
    ["repeat 70 { create 1; join 1 }; create 2; create 3; join 2; join 3", "{}", "{}", "{}"],
    ["create 2; {}; join 2; repeat 65 { create 1; join 1 }; create 3; {}; join 3", "{}", "{}", "{}"],
]
MOST_SCHEDULES = 2_500  # as estimated
MOST_WITH_LOOPS = 50_000
# About how many steps an operation makes, if not one.
STEPS = {
    "if": 0, "ifnot": 0, "repeat": 0, "assume": 0, "assert": 0, "assumenot": 0, "assertnot": 0,
    "wait": 2, "timedwait": 3, "timedlock": 2, "semtimed": 2, "latchwait": 5, "arrive": 9, "arrivedrop": 5,
    "acquire": 7, "acquirefor": 9, "release": 3, "tryacquire": 2, "pbarrierwait": 2, "once": 2, "oonce": 2, "copy": 2,
    "make": 0, "rand": 0, "getenv": 0, "setenv": 0, "latch": 0, "barrier": 0, "csem": 0, "pbarrier": 0,
    "mark": 1, "canceloff": 0, "cancelon": 0, "tlockfor": 2, "memcpy": 2, "detach": 1,
    "retry": 2,
}  # fmt: skip
VARIABLES = (32, 40)  # of 4 bytes, that overlap with nothing


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed * 7919 + 17)
        self.pick = lambda *some: self.random.choice(some)
        self.prologue = []
        self.window = self.pick(0, 0, 8, 16)

    # Each of these gives an operation, or a few that belong together.

    def variable(self):
        at = self.pick(*VARIABLES)
        return self.pick(f"ld {at} 4", f"st {at} 4 {self.pick(1, 2, 3)}", f"add {at} 4 1", f"xchg {at} 4 2")

    def read(self):
        return self.pick(f"ld {self.pick(*VARIABLES)} 4", f"add {self.pick(*VARIABLES)} 4 1")

    def branch(self):
        return f"{self.read()}; {self.pick('if', 'ifnot')} {self.pick(0, 1, 1, 2)} {{ {self.variable()} }}"

    def place(self, sizes):
        size = self.pick(*sizes)
        places = range(self.window, self.window + 16, size)
        near = [p for p in places if p < self.window + 8]
        return self.pick(*(near if self.random.random() < 0.7 else places)), size

    def number(self, size):
        return self.pick(0, 1, 1, 2, 0x0101, 0x01010101, 0x0102030405060708, 0xFF) % (1 << 8 * min(size, 8))

    def bytes(self):
        kind = self.pick("ld", "ld", "st", "st", "add", "orr", "xchg", "cas", "cas", "vld", "vst")
        sizes = (1, 2, 4, 8) if kind in ("add", "orr", "vld", "vst") else (1, 1, 2, 4, 8, 8, 16)
        at, size = self.place((8, 16, 16) if kind == "cas" and self.random.random() < 0.2 else sizes)
        if kind in ("ld", "vld"):
            text = f"{kind} {at} {size}"
            if self.random.random() < 0.3:
                text += f"; if {self.number(size)} {{ {self.variable()} }}"
            return text
        if kind == "cas":
            return f"cas {at} {size} {self.pick(0, 0, 0, self.number(size))} {self.number(size)}"
        return f"{kind} {at} {size} {self.number(size)}"

    def plain_bytes(self):
        kind = self.pick("pld", "pst", "pst", "memset", "memcpy", "copy", "atomic", "atomic")
        at, size = self.place((1, 2, 4, 8))
        if kind == "atomic":
            return self.bytes()
        if kind == "pld":
            return f"pld {at} {size}"
        if kind == "pst":
            return f"pst {at} {size} {self.number(size)}"
        if kind == "memset":
            return f"memset {self.window + self.random.randrange(12)} {self.pick(1, 3, 5, 8, 12, 16)} {self.pick(1, 7)}"
        if kind == "memcpy":
            to, source = self.random.randrange(0, 16), self.random.randrange(0, 16)
            return f"memcpy {to} {source} {self.pick(1, 2, 3, 8, 11, 16)}"
        return f"copy {self.pick(0, 4, 8, 16)} {self.pick(0, 4, 8, 20)}"

    def compare(self):
        expected = self.pick(0, 0, 1, 2, 5, 5)
        text = f"cas 32 4 {expected} {self.pick(1, 2, 5)}"
        chance = self.random.random()
        if chance < 0.2:
            return f"{text}; {self.pick('if', 'ifnot')} {expected} {{ {self.variable()} }}"
        if chance < 0.45:
            return self.pick("ld 32 4", "st 32 4 1", "st 32 4 0", "add 32 4 1", "ld 32 4; if 1 { st 40 4 1 }")
        return text

    def use(self):
        """Of the object that the thread's pointer leads to."""
        return self.pick(
            "old", "ost 1", "oadd 1", "oadd 2", "olock; ounlock", "olock; ounlock", "olock; oadd 1; ounlock",
            "otrylock; if 1 { ounlock }", "osemwait; osempost", "osemtry; if 1 { osempost }", "osempost",
            "ordlock; orwunlock", "owrlock; orwunlock", "ospin; ounspin", "oonce { st 32 4 1 }",
            "oonce { add 32 4 1 }", "osignal", "odestroy", "osemwait",
        )  # fmt: skip

    def heap(self):
        slot = self.pick(0, 0, 0, 1)
        prepared = f"make; put {slot}"
        if prepared not in self.prologue and self.random.random() < 0.8:
            self.prologue.append(prepared)
        return self.pick(
            f"get {slot}; {self.use()}", f"get {slot}; {self.use()}", f"get {slot}; {self.use()}; {self.use()}",
            f"take {slot}; free", f"take {slot}; {self.use()}; free", f"get {slot}; free",
            f"get {slot}; {self.use()}; free", f"make; {self.use()}; put {slot}", f"make; put {slot}",
            f"take {slot}; realloc {self.pick(0, 500)}; put {slot}", f"take {slot}; {self.use()}; put {slot}",
            "make; free", f"get {slot}; if 1 {{ {self.variable()} }}",
            f"get {slot}; {self.variable()}; {self.use()}", self.use(), self.variable(),
        )  # fmt: skip

    def plain_heap(self):
        if self.random.random() < 0.5:
            return self.heap()
        if "make; put 0" not in self.prologue:
            self.prologue.append("make; put 0")
        return self.pick("get 0; opld", "get 0; opst 1", "get 0; opst 2; opld", "get 0; opld; if 0 { opst 3 }",
                         "take 0; opst 1; free", "get 0; free")  # fmt: skip

    def clock(self):
        return self.pick(
            "mark", f"since {self.pick(1, 2, 3, 6)}", "smark", f"ssince {self.pick(1, 2, 3)}",
            f"sleep {self.pick(1, 2, 3, 5)}", f"sleep {self.pick(1, 5)}", f"timedlock 0 {self.pick(1, 3)}; if 1 {{ unlock 0 }}",
            "lock 0; unlock 0", f"lock 0; sleep {self.pick(1, 4)}; unlock 0", f"semtimed 0 {self.pick(1, 2, 4)}", "sempost 0",
            f"lock 0; timedwait 0 0 {self.pick(1, 3)}; unlock 0", "signal 0", f"tlockfor 0 {self.pick(1, 2)}; if 1 {{ tunlock 0 }}",
            "mark; sleep 2; since 3", "mark; since 1", "yield", self.variable(), self.branch(),
        )  # fmt: skip

    def descriptor(self):
        return self.pick(
            f"write 0 {self.pick(1, 2)}", "write 0 1", "poll 0; if 1 { read 0 }", "read 0", "hangup 0", "open",
            "open; close", "open; open; close", f"fput 0 {self.pick(1, 2)}", "fget 0", "fget 0; if 1 { fput 1 3 }",
            f"setenv 0 {self.pick(1, 2)}", "getenv 0", "getenv 0; if 1 { setenv 0 2 }", "rand", "rand; rand",
            self.variable(), self.branch(),
        )  # fmt: skip

    def verdict(self):
        what = self.pick("assert", "assertnot", "assume", "assumenot")
        return self.pick(
            f"{self.read()}; {what} {self.pick(0, 0, 1, 2)}", f"{self.read()}; {self.pick('if', 'ifnot')} {self.pick(0, 1)} {{ exit }}",
            f"choose {self.pick(2, 2, 3)}; if 1 {{ {self.variable()} }}", "choose 2", self.variable(),
            self.variable(), self.branch(), f"choose 2; if 1 {{ {self.variable()}; exit }}", f"choose 2; {what} 0",
        )  # fmt: skip

    def primitive(self):
        return self.pick(
            "countdown 0", "countdown 0", "latchwait 0", "latchtry 0", "arrive 0", "arrivedrop 0", "pbarrierwait 0",
            "acquire 0", "release 0", "release 0", "tryacquire 0", "acquirefor 0 2", "tlock 0; tunlock 0",
            "tlockfor 0 2; if 1 { tunlock 0 }", "slock 0; sunlock 0", "sshared 0; sunshared 0",
            "strylock 0; if 1 { sunlock 0 }", self.variable(), self.variable(), self.branch(),
        )  # fmt: skip

    def cancellation(self):
        return self.pick(
            "cancel 1", "cancel 1", "testcancel", "testcancel", "canceloff; testcancel; cancelon", "semwait 0",
            "sempost 0", "lock 0; unlock 0", "sleep 1", self.variable(), self.variable(), self.branch(),
            "lock 0; wait 0 0; unlock 0", "signal 0",
        )  # fmt: skip

    def lock(self):
        return self.pick(
            f"lock 0; {self.variable()}; unlock 0", "lock 0; unlock 0", "lock 0; lock 1; unlock 1; unlock 0",
            "lock 1; lock 0; unlock 0; unlock 1", f"trylock 0; if 1 {{ {self.variable()}; unlock 0 }}",
            f"rdlock 0; {self.variable()}; rwunlock 0", f"wrlock 0; {self.variable()}; rwunlock 0",
            "tryrd 0; if 1 { rwunlock 0 }", "trywr 0; if 1 { rwunlock 0 }", "semwait 0", "sempost 0", "sempost 0",
            "semtry 0", "semvalue 0", "spin 0; unspin 0", f"spin 0; {self.variable()}; unspin 0",
            f"once 0 {{ {self.variable()} }}", f"once 0 {{ {self.variable()} }}", "lock 0; wait 0 0; unlock 0", "lock 0; signal 0; unlock 0",
            "signal 0", "broadcast 0", self.variable(), self.branch(), self.branch(),
        )  # fmt: skip

    def retry(self):
        """Threads that get on where others have stored 1 to 40; what else they do is beside their loops."""
        size = self.pick(4, 4, 4, 4, 8, 2)
        loop = f"retry 32 {size} {self.pick(0, 0, 1, 1, 2, 3, 4, 5, 6)} {self.pick(1, 1, 2)}"
        return self.pick(
            *[loop] * 12, f"retry 40 4 {self.pick(0, 1, 3)} 1", f"{loop}; if {self.pick(0, 1)} {{ {self.variable()} }}",
            f"{loop}; assertnot {self.pick(1, 2, 3)}", self.variable(), self.branch(), self.compare(), "lock 0; unlock 0",
            f"lock 0; {loop}; unlock 0", "pst 48 4 1; st 40 4 1", "ld 40 4; if 1 { pld 48 4 }", "trylock 0; if 1 { unlock 0 }",
            f"sempost 0; {loop}", f"semwait 0; {loop}",
        )  # fmt: skip

    def small(self):
        return self.pick(self.variable(), self.branch(), self.compare(), self.bytes(), "lock 0; unlock 0")

    def anything(self):
        return getattr(self, self.pick(*MIXED))()

    def body(self, theme, count):
        return "; ".join(getattr(self, theme)() for _ in range(count))

    def program(self, theme):
        shape = self.pick(*(MANY if theme == "small" else SHAPES))
        places = sum(line.count("{}") for line in shape)
        operations = places + self.random.randrange({2: 6, 3: 4, 4: 1}[len(shape)] + 1)
        shares = [1] * places
        for _ in range(operations - places):
            shares[self.random.randrange(places)] += 1
        share = iter(shares)
        lines = []
        for line in shape:
            while "{}" in line:
                line = line.replace("{}", self.body(theme, next(share)), 1)
            lines.append(line)
        words = set(" ".join(lines).split())
        self.prologue += [self.pick(*makers) for users, makers in MAKERS if users & words]
        lines[0] = "; ".join([*self.prologue, lines[0]])
        program = notation.parse(" | ".join(lines))
        program = notation.Program(program.bodies, theme.startswith("plain"))
        return self.shortened(program, MOST_WITH_LOOPS if theme == "retry" else MOST_SCHEDULES)

    def shortened(self, program, most):
        """Without as many operations as it takes to have few schedules; loops stay longest."""
        while schedules(program) > most:
            loose = [(i, place) for i, body in enumerate(program.bodies) for place in self.loose(i, body)]
            longest = max((steps(program.bodies[i]) for i, _ in loose), default=0)
            loose = [(i, place) for i, place in loose if steps(program.bodies[i]) == longest]
            if longest <= 1 or not loose:
                break  # the search says whether it is too long
            i, out = self.pick(*loose)
            body = program.bodies[i]
            bodies = (*program.bodies[:i], body[:out] + body[out + 1 :], *program.bodies[i + 1 :])
            program = notation.Program(bodies, program.all_accesses)
        return program

    @staticmethod
    def loose(i, body):
        """Where operations stand that can be left out."""
        names = [operation.name for operation in body]
        prepared = names.index("create") if i == 0 and "create" in names else 0
        all_of_them = [place for place, name in enumerate(names) if name not in TIES and place >= prepared]
        return [place for place in all_of_them if names[place] != "retry"] or all_of_them


# What has to be there for which operations.
MAKERS = [
    ({"write", "read", "poll", "hangup"}, ["pipe 0"]),
    ({"fput", "fget"}, ["file"]),
    ({"countdown", "latchwait", "latchtry"}, ["latch 0 1", "latch 0 2"]),
    ({"arrive", "arrivedrop"}, ["barrier 0 1", "barrier 0 2", "barrier 0 2"]),
    ({"pbarrierwait"}, ["pbarrier 0 1", "pbarrier 0 2"]),
    ({"acquire", "release", "tryacquire", "acquirefor"}, ["csem 0 0", "csem 0 1"]),
]
TIES = {"create", "join", "detach", "repeat"}
THEMES = {
    "overlapping bytes": "bytes",
    "overlapping bytes, plain accesses": "plain_bytes",
    "compare-exchange": "compare",
    "heap": "heap",
    "heap, plain accesses": "plain_heap",
    "clocks and time-outs": "clock",
    "descriptors and the library": "descriptor",
    "early ends": "verdict",
    "latches, barriers, semaphores": "primitive",
    "cancellation": "cancellation",
    "locks": "lock",
    "many threads": "small",
    "mixed": "anything",
}
LOOPS = {"retry loops": "retry"}
FIRST_WITH_LOOPS = 10_000_000  # seeds from here on have this theme
# Some are more fruitful than others.
TURNS = [*THEMES, "overlapping bytes", "compare-exchange", "heap", "heap", "early ends", "mixed", "mixed"]
MIXED = ["variable", "branch", "bytes", "compare", "heap", "verdict", "lock", "lock"]


def steps(operations):
    total = 0
    for operation in operations:
        times = 0 if operation.name == "repeat" else 1  # what is repeated comes before others
        total += STEPS.get(operation.name, 1) + times * steps(operation.body)
    return total


def schedules(program):
    """An estimate: threads run side by side from where they are created to where they are joined."""
    lengths = [2 + steps(body) for body in program.bodies]
    main = lengths[0] - next((steps(program.bodies[0][:i]) for i, o in enumerate(program.bodies[0])
                              if o.name == "create"), 0)  # fmt: skip
    joins = sum(o.name == "join" for o in program.bodies[0])
    first = max(1, main - 2 - joins)
    parts = [first, *(lengths[1:] if "repeat" not in notation.names_in(program) else lengths[2:])]
    count = math.factorial(sum(parts))
    for part in parts:
        count //= math.factorial(part)
    for body in program.bodies:
        for operation in notation.all_operations(body):
            count *= operation.arguments[0] if operation.name == "choose" else 1
    return count


def theme_of(seed):
    return TURNS[seed % len(TURNS)] if seed < FIRST_WITH_LOOPS else next(iter(LOOPS))


def program(seed):
    return Generator(seed).program((THEMES | LOOPS)[theme_of(seed)])


def main():
    first, _, last = sys.argv[1].partition("-")
    for seed in range(int(first), int(last or first) + 1):
        print(f"{seed}\t{theme_of(seed)}\t{program(seed)}")


if __name__ == "__main__":
    main()

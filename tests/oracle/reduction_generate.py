"""Random model programs for searches with reduction: what partial-order reduction can get wrong.

A seed gives one program, always the same. Beside what generate.py has: locks in two orders, which
deadlock; exits, assertions and assumptions that end an execution while others still have steps to
make; conditions with several sleepers, of which one is to be woken; threads that are created, joined
and detached at any place and by any thread.
"""

import re

import generate
import model

# How main and the others are tied together; a body of its own goes to each {}.
SHAPES = [
    ["create 1; {}; join 1", "{}"],
    ["create 1; {}; join 1; {}", "{}"],
    ["{}; create 1; {}; detach 1; {}", "{}"],
    ["create 1; {}", "{}"],
    ["create 1; {}; leave", "{}"],
    ["create 1; {}; exit", "{}"],
    ["create 1; create 2; join 1; join 2", "{}", "{}"],
    ["create 1; create 2; join 2; {}; join 1", "{}", "{}"],
    ["create 1; create 2; {}; join 1; join 2", "{}", "{}"],
    ["create 1; create 2; {}; join 2; {}", "{}", "{}"],
    ["create 1; {}; create 2; join 1; join 2", "{}", "{}"],
    ["create 1; create 2; {}; detach 1; join 2", "{}", "{}"],
    ["create 1; {}; join 1; create 2; {}; join 2", "{}", "{}"],
    ["create 1; {}; join 1", "create 2; {}; join 2; {}", "{}"],
    ["create 1; {}; join 1", "{}; create 2; {}", "{}"],
    ["create 1; join 1; {}", "create 2; {}; detach 2", "{}"],
    ["create 1; {}; leave", "create 2; {}; join 2", "{}"],
    ["create 1; tryjoin 1; if 0 { {} }", "{}"],
    ["create 1; create 2; {}; timedjoin 1; join 2", "{}", "{}"],
    ["create 1; create 2; create 3; join 3; join 2; join 1", "{}", "{}", "{}"],
    ["create 1; create 2; join 1; create 3; join 3; join 2", "{}", "{}", "{}"],
    ["create 1; create 2; join 1; join 2", "create 3; {}; join 3", "{}", "{}"],
    ["create 1; join 1", "create 2; {}; join 2", "create 3; {}; join 3", "{}"],
]
PLACE = re.compile(r"\{\}")

THEMES = [
    ["variable"],
    ["variable", "variable", "branch"],
    ["branch"],
    ["variable", "branch", "verdict"],
    ["variable", "verdict", "departure"],
    ["critical", "variable"],
    ["critical", "branch"],
    ["critical", "verdict", "branch"],
    ["critical", "attempt", "variable"],
    ["attempt", "attempt", "branch"],
    ["attempt", "verdict"],
    ["two_locks", "critical"],
    ["two_locks", "attempt", "branch"],
    ["two_locks", "two_locks", "departure"],
    ["nested", "variable", "departure"],
    ["wait", "signal"],
    ["wait", "signal", "branch"],
    ["wait", "wait", "signal", "signal", "verdict"],
    ["wait", "signal", "attempt"],
    ["wait_for", "announce"],
    ["wait_for", "announce", "branch"],
    ["wait_for", "announce", "announce", "verdict"],
    ["read_write", "variable"],
    ["read_write", "read_write", "read_write_attempt"],
    ["read_write", "critical", "branch"],
    ["semaphore", "variable"],
    ["semaphore", "semaphore", "branch"],
    ["semaphore", "critical"],
    ["rendezvous", "branch"],
    ["futex", "branch"],
    ["initialise", "branch"],
    ["spin", "checked"],
    ["pick_one", "variable", "branch"],
    ["pick_one", "critical", "verdict"],
    ["small", "variable", "critical"],
    ["small", "wait", "signal"],
    ["variable", "branch", "verdict", "departure", "critical", "attempt", "two_locks", "nested", "wait",
     "wait_for", "announce", "signal", "read_write", "read_write_attempt", "semaphore", "rendezvous",
     "futex", "initialise", "spin", "checked", "pick_one", "small"],
]  # fmt: skip

# Operations of all threads together, about: as many as keep the plain search short.
OPERATIONS = {2: 9, 3: 7, 4: 4}


class Generator(generate.Generator):
    def branch(self, _):
        first = self.pick(f"load {self.object()}", self.variable(1)[0])
        body = self.pick(self.variable(1)[0], f"{self.variable(1)[0]}; {self.variable(1)[0]}")
        return f"{first}; if {self.number(2)} {{ {body} }}", 2

    def verdict(self, _):
        first = self.pick(f"load {self.object()}", f"add {self.object()} 1")
        return f"{first}; {self.pick('assert', 'assert', 'assume')} {self.pick(0, 0, 1)}", 1

    def departure(self, _):
        return f"load {self.object()}; if {self.pick(0, 1, 1)} {{ exit }}", 1

    def pick_one(self, _):
        first, then = f"choose {self.pick(2, 2, 3)}", self.variable(1)[0]
        return self.pick(first, f"{first}; if 1 {{ {then} }}"), 1

    def two_locks(self, room):
        outer = self.number(2)
        inner = 1 - outer
        how = self.pick("lock", "lock", "trylock", "timedlock")
        inside = self.pick("", f" {self.variable(1)[0]};")
        if how == "lock":
            return f"lock {outer}; lock {inner};{inside} unlock {inner}; unlock {outer}", min(room, 3)
        attempt = f"{how} {inner}; if 1 {{{inside} unlock {inner} }}"
        return f"lock {outer}; {attempt}; unlock {outer}", min(room, 3)

    def shared_out(self, operations, places):
        """So many operations for so many places, at random; each gets one."""
        shares = [1] * places
        for _ in range(operations - places):
            shares[self.number(places)] += 1
        return shares

    def program(self, name):
        shape = self.pick(*SHAPES)
        self.theme = self.pick(*THEMES)
        self.objects = self.pick(1, 1, 2, 3)
        text = "\n".join(shape)
        operations = 2 + self.number(OPERATIONS[len(shape)])
        shares = iter(self.shared_out(operations, len(PLACE.findall(text))))
        lines = PLACE.sub(lambda _: self.body(next(shares)), text).split("\n")
        labels = ["main", *map(str, range(1, len(shape)))]
        return model.program(name, "\n".join(map(": ".join, zip(labels, lines))))


def program(seed):
    """None: what came out is no program; the next seed is as good."""
    generator = Generator(seed)
    try:
        return generator.program(f"seed {seed}")
    except model.BadProgram:
        return None

"""Random programs for race_oracle.py: the same seed gives the same programs. None can deadlock."""

import random

import race_model
import race_oracle
from race_model import MIXED, Operation, Program

LOAD = ["relaxed", "consume", "acquire", "seq_cst"]
STORE = ["relaxed", "release", "seq_cst"]
UPDATE = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
FENCE = ["acquire", "release", "acq_rel", "seq_cst"]
FAILURE = {
    "relaxed": ["relaxed"],
    "acquire": ["relaxed", "acquire"],
    "release": ["relaxed"],
    "acq_rel": ["relaxed", "acquire"],
    "seq_cst": ["relaxed", "acquire", "seq_cst"],
}

# For messages: mostly as they should be.
MOSTLY_LOAD = ["acquire", "acquire", "seq_cst", "consume", "relaxed"]
MOSTLY_STORE = ["release", "release", "seq_cst", "relaxed"]

# What the threads do beside their plain accesses.
THEMES = [
    ["publish", "look"],
    ["publish", "look", "update"],
    ["publish", "look", "fence"],
    ["publish", "look", "fence", "update"],
    ["mixed", "look", "publish"],
    ["mixed", "critical"],
    ["critical"],
    ["critical", "attempt"],
    ["critical", "look", "publish"],
    ["shared", "exclusive"],
    ["shared", "exclusive", "publish", "look"],
    ["post", "take"],
    ["post", "take", "critical"],
    ["initialise", "look", "publish"],
    ["initialise", "critical"],
]

MAINS = [  # numbers are threads; letters parts of main's own
    ["+1", "a", "-1", "b"],
    ["a", "+1", "b", "-1"],
    ["+1", "+2", "-1", "-2"],
    ["+1", "+2", "-1", "a", "-2"],
    ["+1", "a", "+2", "-2", "-1", "b"],
    ["+1", "-1", "+2", "a", "-2"],
]

START = [Operation("create", (1,)), Operation("create", (2,))]
STOP = [Operation("join", (1,)), Operation("join", (2,))]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.theme = []
        self.cells = 1

    def pick(self, choices):
        return self.random.choice(choices)

    def plain(self):
        size = self.pick([1, 1, 2, 4, 4, 8]) if self.cells > 1 else 4
        at = self.random.randrange(min(race_model.CELLS // size, self.cells)) * size
        return (Operation(self.pick(["get", "put", "put"]), (at, size)),)

    def some(self, most):
        return sum((self.plain() for _ in range(1 + self.random.randrange(most))), ())

    def object(self):
        return self.random.randrange(2) if self.random.randrange(3) == 0 else 0

    def publish(self, variable=None):
        variable = self.object() if variable is None else variable
        return (Operation("store", (variable, 1 + self.random.randrange(2), self.pick(STORE))),)

    def look(self, variable=None):
        variable = self.object() if variable is None else variable
        load = Operation("load", (variable, self.pick(LOAD)))
        if self.random.randrange(3) == 0:
            return (load,)
        inside = self.some(2)
        if "fence" in self.theme and self.random.randrange(2):
            inside = self.fence() + inside
        return (load, Operation("if", (1 + self.random.randrange(2),), inside))

    def update(self, variable=None):
        variable = self.object() if variable is None else variable
        order = self.pick(UPDATE)
        value = 1 + self.random.randrange(2)
        operation = self.pick([
            Operation("add", (variable, order)),
            Operation("exchange", (variable, value, order)),
            Operation("cas", (variable, self.random.randrange(2), value, order,
                              self.pick(FAILURE[order]))),
        ])  # fmt: skip
        if self.random.randrange(2):
            return (operation,)
        return (operation, Operation("if", (self.random.randrange(2),), self.some(1)))

    def mixed(self):
        return self.pick([self.publish, self.look, self.update])(MIXED)

    def fence(self):
        return (Operation("fence", (self.pick(FENCE),)),)

    def between(self, first, last):
        which = (self.object(),)
        return (Operation(first, which), *self.some(2), Operation(last, which))

    def critical(self):
        return self.between("lock", "unlock")

    def shared(self):
        return self.between("rlock", "runlock")

    def exclusive(self):
        return self.between("wlock", "wunlock")

    def attempt(self):
        which = (self.object(),)
        inside = (*self.some(1), Operation("unlock", which))
        return (Operation("trylock", which), Operation("if", (1,), inside))

    def post(self):
        return (Operation("post", (self.object(),)),)

    def take(self):
        return (Operation("trywait", (self.object(),)), Operation("if", (1,), self.some(2)))

    def initialise(self):
        return (Operation("once", (self.object(),), self.some(1)),)

    def body(self, parts):
        found = ()
        for _ in range(parts):
            kind = self.plain if self.random.randrange(2) else getattr(self, self.pick(self.theme))
            found += kind()
        return found

    # Messages: all accesses of the receivers stand behind what they have seen, so that whether the
    # program races depends on the orders alone.

    def maybe_fence(self):
        return self.fence() if self.random.randrange(3) == 0 else ()

    def touch(self):
        """One or two accesses, plain or, now and then, atomic, to the same memory."""
        found = ()
        for _ in range(self.pick([1, 1, 2])):
            found += self.pick([self.plain, self.plain, self.touch_atomically])()
        return found

    def touch_atomically(self):
        return self.pick([
            (Operation("load", (MIXED, self.pick(MOSTLY_LOAD))),),
            (Operation("store", (MIXED, 0, self.pick(MOSTLY_STORE))),),
        ])  # fmt: skip

    def send(self, variable):
        """Writes 1 or 2 to the variable, somehow."""
        value, order = self.pick([1, 1, 2]), self.pick(UPDATE)
        return self.maybe_fence() + (self.pick([
            Operation("store", (variable, value, self.pick(MOSTLY_STORE))),
            Operation("add", (variable, order)),
            Operation("exchange", (variable, value, order)),
            Operation("cas", (variable, value - 1, value, order, self.pick(FAILURE[order]))),
        ]),)  # fmt: skip

    def receive(self, variable, then):
        order = self.pick(UPDATE)
        look = self.pick([
            Operation("load", (variable, self.pick(MOSTLY_LOAD))),
            Operation("load", (variable, self.pick(MOSTLY_LOAD))),
            Operation("add", (variable, order)),
            Operation("exchange", (variable, 2, order)),
            Operation("cas", (variable, 3, 0, order, self.pick(FAILURE[order]))),
        ])  # fmt: skip
        value = 0 if look.kind == "cas" else self.pick([1, 1, 2])
        return (look, Operation("if", (value,), self.maybe_fence() + then))

    def message(self, name):
        self.theme = ["message"]
        self.cells = self.pick([1, 1, 2])
        sender = self.touch() + self.send(0)
        if self.random.randrange(3) == 0:
            sender += self.send(0)
        last = self.random.randrange(2)  # the variable that the receiver looks at
        between = self.receive(0, self.send(1)) if last else self.send(0)
        main = self.receive(last, self.touch())
        if not last and self.random.randrange(2):
            return Program(name, ((START[0], *main, STOP[0]), sender))
        return Program(name, ((*START, *main, *STOP), sender, between))

    def program(self, name):
        if self.random.randrange(2):
            return self.message(name)
        self.theme = self.pick(THEMES)
        self.cells = self.pick([1, 1, 2, 8])
        shape = self.pick(MAINS)
        others = sum(word.startswith("+") for word in shape)
        main = ()
        for word in shape:
            if word[0] in "+-":
                kind = "create" if word[0] == "+" else "join"
                main += (Operation(kind, (int(word[1:]),)),)
            else:
                main += self.body(1 + self.random.randrange(2))
        most = 4 if others == 1 else 3
        threads = [self.body(1 + self.random.randrange(most)) for _ in range(others)]
        return Program(name, (main, *threads))


def programs(seed, count, limit):
    """Half of them race, and half do not; none has more executions than the limit."""
    generator, found = Generator(seed), {True: [], False: []}
    number = 0
    while sum(map(len, found.values())) < count:
        number += 1
        candidate = generator.program(f"candidate {number} of seed {seed}")
        code = race_model.Rendered([candidate]).code[0]
        try:
            counts = race_oracle.enumerate_all(code, limit)
        except race_oracle.TooMany:
            continue
        same = found[counts.racing > 0]
        if counts.executions > 3 and len(same) < (count + 1) // 2:
            same.append(candidate)
    return found[True] + found[False]

"""Random model programs: a few threads, a few operations each, of all kinds.

The same seed gives the same programs. They end in every schedule: the only loops are waits for a
variable to change, and there are only so many signals.
"""

import random

import enumerator
import machine
import model

# More would take the search long; fewer say little.
EXECUTIONS = range(20, 30_001)

# How main and the others are tied together; {n} is where the body of thread n goes.
SHAPES = [
    ["create 1; {0}; join 1", "{1}"],
    ["{0}; create 1; join 1", "{1}"],
    ["create 1; {0}; detach 1", "{1}"],
    ["create 1; {0}", "{1}"],
    ["create 1; create 2; join 1; join 2", "{1}", "{2}"],
    ["create 1; create 2; join 2; join 1", "{1}", "{2}"],
    ["create 1; create 2; {0}; join 1; join 2", "{1}", "{2}"],
    ["create 1; create 2; {0}; join 2", "{1}", "{2}"],
    ["create 1; join 1; {0}", "create 2; {1}; join 2", "{2}"],
    ["create 1; {0}; join 1", "create 2; {1}", "{2}"],
    ["create 1; {0}; leave", "create 2; {1}; detach 2", "{2}"],
    ["create 1; create 2; create 3; join 3; join 2; join 1", "{1}", "{2}", "{3}"],
]


# What a program is about. Few kinds of operations on few objects meet more often than many on many.
THEMES = [
    ["variable"],
    ["variable", "small"],
    ["variable", "guess"],
    ["variable", "guess", "small", "initialise"],
    ["initialise", "initialise", "variable"],
    ["critical", "variable"],
    ["critical", "attempt", "variable"],
    ["critical", "attempt", "small", "guess"],
    ["critical", "nested", "attempt"],
    ["nested", "variable", "small"],
    ["wait", "signal"],
    ["wait", "signal", "signal", "critical"],
    ["wait", "wait", "signal", "attempt"],
    ["wait_for", "announce", "variable"],
    ["wait_for", "announce", "small"],
    ["wait", "wait_for", "announce", "signal"],
    ["read_write", "variable"],
    ["read_write", "read_write", "read_write_attempt"],
    ["semaphore", "variable"],
    ["semaphore", "semaphore", "small"],
    ["rendezvous", "variable"],
    ["rendezvous", "read_write", "semaphore"],
    ["futex", "variable"],
    ["futex", "futex", "small"],
    ["spin", "checked", "variable"],
    ["checked", "nested", "read_write_attempt"],
    ["variable", "small", "signal", "critical", "attempt", "nested", "wait", "wait_for", "announce",
     "initialise", "guess", "read_write", "read_write_attempt", "semaphore", "rendezvous", "futex",
     "spin", "checked"],
]  # fmt: skip


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.theme = []
        self.objects = 1  # of each kind

    def pick(self, *choices):
        return self.random.choice(choices)

    def number(self, below):
        return self.random.randrange(below)

    def object(self):
        return self.number(self.objects)

    def body(self, operations):
        """About so many operations."""
        parts = []
        while operations > 0:
            part, used = getattr(self, self.pick(*self.theme))(operations)
            parts.append(part)
            operations -= used
        return "; ".join(parts)

    def variable(self, _):
        x, value = self.object(), self.number(3)
        operation = self.pick(
            f"load {x}", f"store {x} {value}", f"add {x} 1", f"exchange {x} {value}",
            f"cas {x} {self.number(2)} {value}",
        )  # fmt: skip
        return operation, 1

    def small(self, _):
        return self.pick("fence", "yield", "sleep", f"choose {self.pick(1, 2, 2, 3)}"), 1

    def signal(self, _):
        return f"{self.pick('signal', 'signal', 'broadcast')} {self.object()}", 1

    def inside(self, room):
        """What stands between lock and unlock."""
        return self.body(self.number(max(1, room - 1))) or self.variable(1)[0]

    def critical(self, room):
        m = self.object()
        return f"lock {m}; {self.inside(room - 1)}; unlock {m}", min(room, 3)

    def attempt(self, room):
        m, how = self.object(), self.pick("trylock", "timedlock")
        return f"{how} {m}; if 1 {{ {self.inside(room - 1)}; unlock {m} }}", min(room, 3)

    def nested(self, room):
        m = self.object()
        again = f"{self.pick('rlock', 'rtrylock', 'rtimedlock')} {m}; runlock {m}"
        if self.number(2):
            return f"rlock {m}; {again}; runlock {m}", 2
        inside, how = self.inside(room - 1), self.pick("rtrylock", "rtimedlock")
        return f"{how} {m}; if 1 {{ {again}; {inside}; runlock {m} }}", min(room, 3)

    def rwlock(self):
        """One that lets readers pass, or one that prefers writers."""
        return self.object() + self.pick(0, 2)

    def read_write(self, room):
        m, how = self.rwlock(), self.pick("rdlock", "rdlock", "wrlock")
        return f"{how} {m}; if 1 {{ {self.inside(room - 1)}; rwunlock {m} }}", min(room, 3)

    def read_write_attempt(self, room):
        m, how = self.rwlock(), self.pick("tryrd", "trywr", "timedrd", "timedwr")
        return f"{how} {m}; if 1 {{ {self.inside(room - 1)}; rwunlock {m} }}", min(room, 3)

    def semaphore(self, _):
        how = self.pick("semwait", "semtrywait", "semtimedwait", "sempost", "sempost", "semvalue")
        return f"{how} {self.object()}", 1

    def rendezvous(self, _):
        return f"barrier {self.pick(1, 1, 2)}", 2

    def futex(self, _):
        how = self.pick("fwait {} 0", "ftimedwait {} 0", "fwake {} 1", "fwake {} 9", "add {} 1")
        return how.format(self.object()), 2

    def spin(self, room):
        m, how = self.object(), self.pick("spinlock", "spintrylock")
        if how == "spinlock":
            return f"spinlock {m}; {self.variable(1)[0]}; spinunlock {m}", 3
        return f"spintrylock {m}; if 1 {{ {self.inside(room - 1)}; spinunlock {m} }}", min(room, 3)

    def checked(self, room):
        m, how = self.object(), self.pick("elock", "etrylock", "etimedlock")
        return f"{how} {m}; if 1 {{ {self.inside(room - 1)} }}; eunlock {m}", min(room, 3)

    def wait(self, _):
        c = self.object()
        return f"lock {c}; {self.pick('wait', 'timedwait')} {c} {c}; unlock {c}", 3

    def wait_for(self, _):
        c, x = self.object(), self.object()
        return f"lock {c}; load {x}; while 0 {{ wait {c} {c}; load {x} }}; unlock {c}", 4

    def announce(self, _):
        c = self.object()
        change = f"store {self.object()} {self.pick(1, 1, 0)}; {self.signal(1)[0]}"
        return (f"lock {c}; {change}; unlock {c}", 4) if self.number(2) else (change, 2)

    def initialise(self, _):
        k = self.object()
        return self.pick(f"once {k} {{ {self.variable(1)[0]} }}", f"static {k}"), 2

    def guess(self, _):
        first, _ = self.variable(1)
        if self.number(3):
            return f"{first}; if {self.number(2)} {{ {self.variable(1)[0]} }}", 2
        return f"load {self.object()}; {self.pick('assert', 'assume')} {self.pick(0, 0, 1)}", 2

    def program(self, name):
        shape = self.pick(*SHAPES)
        self.theme = self.pick(*THEMES)
        self.objects = self.pick(1, 1, 2)
        # With more threads fewer operations: the number of executions grows with both.
        most = {2: 5, 3: 4, 4: 1}[len(shape)]
        bodies = [self.body(1 + self.number(most)) for _ in shape]
        return self.assembled(name, [line.format(*bodies) for line in shape])

    def assembled(self, name, lines):
        labels = ["main", *map(str, range(1, len(lines)))]
        return model.program(name, "\n".join(map(": ".join, zip(labels, lines))))


def programs(seed, count):
    generator = Generator(seed)
    found = []
    while len(found) < count:
        candidate = generator.program(f"random program {len(found)} of seed {seed}")
        executions = enumerator.histogram(machine.Machine(candidate), None).total()
        if executions in EXECUTIONS:
            found.append(candidate)
    return found

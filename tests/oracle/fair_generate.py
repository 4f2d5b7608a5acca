"""Random model programs that spin and retry: for the fair scheduler.

Most loops yield, or retry with a time limit; what they wait for may never come, and then they have
no end under any scheduler. The same seed gives the same programs.
"""

import enumerator
import fair
import generate
import machine

# More would take the search long; fewer say little.
EXECUTIONS = range(5, 20_001)
STATES = 1_000

# How a thread waits for variable {x} to become 1, or for mutex {m}, or for a lock made of {x}.
WAITS = [
    "load {x}; while 0 {{ yield; load {x} }}",
    "load {x}; while 0 {{ sleep; load {x} }}",
    "yield; load {x}; while 0 {{ load {y}; yield; load {x} }}",
    "semtimedwait {m}; while 0 {{ semtimedwait {m} }}",
]
SECTIONS = [
    ("trylock {m}; while 0 {{ yield; trylock {m} }}", "unlock {m}"),
    ("timedlock {m}; while 0 {{ timedlock {m} }}", "unlock {m}"),
    ("cas {x} 0 1; while 0 {{ yield; cas {x} 0 1 }}", "store {x} 0"),
    ("exchange {x} 1; while 1 {{ sleep; exchange {x} 1 }}", "store {x} 0"),
    ("lock {m}", "unlock {m}"),
    ("lock {m}; timedlock {o}; while 0 {{ unlock {m}; lock {m}; timedlock {o} }}", "unlock {o}; unlock {m}"),
]  # fmt: skip
THEMES = [
    ["spin", "variable"],
    ["spin", "announce"],
    ["spin", "announce", "section"],
    ["section", "variable"],
    ["section", "small"],
    ["section", "announce", "semaphore", "spin"],
    ["spin", "announce", "pause"],
    ["pause", "variable", "section"],
]
# What main and the others do between creation and end: as in generate, the shapes that join.
SHAPES = [
    ["create 1; {0}; join 1", "{1}"],
    ["create 1; {0}", "{1}"],
    ["create 1; create 2; join 1; join 2", "{1}", "{2}"],
    ["create 1; create 2; {0}; join 2; join 1", "{1}", "{2}"],
]


class Generator(generate.Generator):
    def names(self):
        m = self.number(2)
        return {"x": self.object(), "y": self.object(), "m": m, "o": 1 - m}

    def spin(self, _):
        return self.pick(*WAITS).format(**self.names()), 2

    def announce(self, _):
        return self.pick(f"store {self.object()} 1", f"sempost {self.number(2)}"), 1

    def pause(self, _):
        return self.pick("yield", "sleep"), 1

    def section(self, room):
        names, (before, after) = self.names(), self.pick(*SECTIONS)
        before, after = before.format(**names), after.format(**names)
        return f"{before}; {self.variable(1)[0]}; {after}", min(room, 3)

    def program(self, name):
        shape = self.pick(*SHAPES)
        self.theme = self.pick(*THEMES)
        self.objects = self.pick(1, 1, 2)
        bodies = [self.body(1 + self.number({2: 3, 3: 2}[len(shape)])) for _ in shape]
        return self.assembled(name, [line.format(*bodies) for line in shape])


def scheduler_acts(model, states):
    """False if it leaves all that is enabled, always."""
    return any(model.options(s) != model.plain.options(s.state) for s in states)


def can_end(model, states):
    return any(hasattr(after, "kind") for s in states for _, after in fair.successors(model, s))


def programs(seed, count, ends):
    """Programs that end under the fair scheduler, which has something to do in them; or, if not
    `ends`, programs that have executions without end beside others."""
    generator = Generator(seed)
    found = []
    while len(found) < count:
        candidate = generator.program(f"fair program {len(found)} of seed {seed}")
        model = fair.FairMachine(machine.Machine(candidate))
        states = fair.reachable(model, most=STATES)
        if states is None or fair.endless(model) == ends:
            continue
        if not ends:
            good = can_end(model, states)
        else:
            good = scheduler_acts(model, states) and enumerator.histogram(model, None).total() in EXECUTIONS
        if good:
            found.append(candidate)
    return found

"""The fair scheduler, line by line from the paper (Musuvathi and Qadeer, Fair Stateless Model
Checking, Algorithm 1), around a model program: `FairMachine` has the options that it leaves, and
states that hold what it remembers.

It shares nothing with the runtime. Sets of threads are bit masks. The threads that a program will
create later belong to Tid from the beginning: they are not enabled, and so in no set that matters.
The first yield of a thread adds no edge, since S holds all threads and is taken away. With `every`
= k only each k-th yield of a thread is looked at (the end of section 3).

What yields: `yield`, `sleep`, an operation with a time limit, however it ends (for a wait that sleeps:
its second step), and a try in vain, which is one that waits for no time. After a try in vain others
go first: it is no preemption.
"""

from typing import NamedTuple

import machine
from enumerator import open_steps
from machine import IN_VAIN, NONE


class Memory(NamedTuple):
    """What Algorithm 1 adds to a state: for each thread t."""

    lower: tuple  # P: the threads u with an edge (t, u); t does not run while one of them is enabled
    enabled: tuple  # E: enabled ever since t's last yield
    disabled: tuple  # D: disabled by a step of t since then
    scheduled: tuple  # S: have made a step since then
    yields: tuple  # how often t has yielded, modulo k
    gives_way: int | None  # the thread of the last step, if that was a try in vain


class FairState(NamedTuple):
    state: NamedTuple  # of the machine inside
    memory: Memory


def mask_of(options):
    mask = 0
    for option in options:
        mask |= 1 << option.thread
    return mask


def after_step(memory, t, enabled_before, enabled_after, kind, every):
    """Lines 13 to 29; `kind` of yield."""
    me = 1 << t
    lower = [mask & ~me for mask in memory.lower]  # 13
    enabled = [mask & enabled_after for mask in memory.enabled]  # 15
    disabled = list(memory.disabled)
    disabled[t] |= enabled_before & ~enabled_after  # 17
    scheduled = [mask | me for mask in memory.scheduled]  # 21
    counts = list(memory.yields)
    if kind != NONE:  # 23
        counts[t] = (counts[t] + 1) % every
        if counts[t] == 0:
            lower[t] |= (enabled[t] | disabled[t]) & ~scheduled[t]  # 24, 25
            enabled[t], disabled[t], scheduled[t] = enabled_after, 0, 0  # 26 to 28
    sets = map(tuple, (lower, enabled, disabled, scheduled, counts))
    return Memory(*sets, t if kind == IN_VAIN else None)


class FairMachine:
    """As the machine inside it, for the enumerator: the steps that Algorithm 1 leaves."""

    def __init__(self, plain, every=1):
        self.plain = plain
        self.every = every

    @property
    def program(self):
        return self.plain.program

    def start(self):
        count = len(self.plain.code)
        nobody, everybody = (0,) * count, ((1 << count) - 1,) * count
        memory = Memory(nobody, nobody, everybody, everybody, nobody, None)
        return FairState(self.plain.start(), memory)

    def options(self, fair):
        options, memory = self.plain.options(fair.state), fair.memory
        enabled = mask_of(options)
        return [
            o._replace(late=True) if o.thread == memory.gives_way else o
            for o in options
            if not memory.lower[o.thread] & enabled  # 7
        ]

    def step(self, fair, thread, outcome):
        state, memory = fair
        after = self.plain.step(state, thread, outcome)
        if hasattr(after, "kind"):
            return after
        enabled = [mask_of(self.plain.options(s)) for s in (state, after)]
        kind = self.plain.yield_of(state, thread, after)
        return FairState(after, after_step(memory, thread, *enabled, kind, self.every))

    def deadlock(self):
        return self.plain.deadlock()

    def pending(self, state, thread):
        return self.plain.pending(state, thread)


def successors(model, state):
    """(option, state after it or Ending) of all that is open."""
    return [(o, model.step(state, o.thread, o.outcome)) for o in model.options(state)]


def plain(state):
    """Without what the scheduler remembers."""
    return getattr(state, "state", state)


def reachable(model, bound=None, most=None):
    """All states that a search with so many preemptions comes to, endings left out. None if there
    are more than `most`, counted with the running thread and the preemptions left."""
    found = {(model.start(), 0, bound)}
    front = list(found)
    while front:
        state, running, left = front.pop()
        for option, still_left in open_steps(model.options(state), running, left):
            after = model.step(state, option.thread, option.outcome)
            node = (after, 0 if bound is None else option.thread, still_left)
            if not hasattr(after, "kind") and node not in found:
                found.add(node)
                front.append(node)
        if most is not None and len(found) > most:
            return None
    return {state for state, _, _ in found}


def endless(model):
    """True if some execution has no end: a cycle among the states."""
    on_path, done = set(), set()
    start = model.start()
    stack = [(start, iter(successors(model, start)))]
    on_path.add(start)
    while stack:
        state, rest = stack[-1]
        for _, after in rest:
            if hasattr(after, "kind") or after in done:
                continue
            if after in on_path:
                return True
            on_path.add(after)
            stack.append((after, iter(successors(model, after))))
            break
        else:
            stack.pop()
            on_path.discard(state)
            done.add(state)
    return False


# What the theorems speak of.


class Forgetful(machine.Machine):
    """Without a list of results, on which nothing depends: so that a loop comes back to its state."""

    def step(self, state, thread, outcome):
        after = super().step(state, thread, outcome)
        if isinstance(after, machine.Ending):
            return after
        return after._replace(results=self.start().results, printed=None)

    def yield_of(self, state, thread, after):
        _, outcome, _ = next(o for o in self.options(state) if o.thread == thread)
        return super().yield_of(state, thread, super().step(state, thread, outcome))


def without_yields(model):
    """The states of yield count zero: those that a plain machine comes to before any yield."""
    found = {model.start()}
    front = list(found)
    while front:
        state = front.pop()
        for option, after in successors(model, state):
            if hasattr(after, "kind") or model.yield_of(state, option.thread, after) != NONE:
                continue
            if after not in found:
                found.add(after)
                front.append(after)
    return found


def has_gentle_livelock(model):
    """True if a plain machine has a fair cycle in which no thread yields twice, through a state of
    yield count zero: then there must be an execution without end (theorem 6). All threads of the
    cycle yield: else it is no livelock, but a violation of the good Samaritan's rule."""
    return any(_gentle_cycle(model, state) for state in without_yields(model))


def _gentle_cycle(model, origin):
    start = (origin, 0, 0, 0)  # threads that have yielded, have run, could have run
    found, front = {start}, [start]
    while front:
        state, yielded, ran, could = front.pop()
        could |= mask_of(model.options(state))
        for option, after in successors(model, state):
            me = 1 << option.thread
            if hasattr(after, "kind"):
                continue
            yields = me if model.yield_of(state, option.thread, after) != NONE else 0
            if yields & yielded:
                continue
            node = (after, yielded | yields, ran | me, could)
            if after == origin and node[1] == node[2] == could:
                return True
            if node not in found:
                found.add(node)
                front.append(node)
    return False

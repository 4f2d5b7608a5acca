"""Which executions of a program race, by the words of the standard.

All interleavings are enumerated. The events of an execution form a graph: program order, and
`synchronises with` as [atomics.order], [atomics.fences], [thread.mutex.requirements] and so on define
it. An event happens before another if there is a path. Two accesses race if they overlap, one of them
writes, not both are atomic, and there is no path; the execution ends there.

It shares nothing with the runtime, which uses vector clocks: here are no clocks, only paths.
Steps are as in machine.py: an operation and all plain accesses up to the next one. Plain accesses
write zeros, and what they read decides nothing.
"""

from typing import NamedTuple

import race_model

UNBORN, BEGIN, AT, END, EXIT, ENDED = range(6)
ACQUIRES = {"consume", "acquire", "acq_rel", "seq_cst"}
RELEASES = {"release", "acq_rel", "seq_cst"}
PLAIN = {"get", "put"}
UNTOUCHED, DONE = -1, -2  # of once flags; in progress: who


class Write(NamedTuple):
    """A side effect on an atomic object, in modification order."""

    event: int
    is_update: bool
    sources: tuple  # what synchronises through it: itself if it releases, and its release fences
    before: object  # the Write before it, or None


class Access(NamedTuple):
    event: int
    thread: int
    line: int
    first: int
    end: int
    writes: bool
    atomic: bool


class Race(Exception):
    def __init__(self, pairs):
        super().__init__(pairs)
        self.pairs = pairs  # sets of lines


class State:
    def __init__(self, code):
        count = len(code)
        objects = range(race_model.OBJECTS)
        self.where = [BEGIN] + [UNBORN] * (count - 1)
        self.pc = [0] * count
        self.last = [0] * count
        self.values = {x: 0 for x in objects} | {race_model.MIXED: 0}
        self.mutexes = [None for _ in objects]  # who holds it
        self.writers = [None for _ in objects]  # of shared mutexes
        self.readers = [0 for _ in objects]
        self.counts = [0 for _ in objects]  # of semaphores
        self.onces = [UNTOUCHED for _ in objects]
        # The graph: for each event the set of those before it, as bits.
        self.before = []
        self.newest = [None] * count  # event of each thread
        self.given = {}  # what later events on an object come after: (kind, number) -> events
        self.writes = {}  # the newest Write of each atomic
        self.fences = [()] * count  # release fences of each thread
        self.unfenced = [()] * count  # sources that its relaxed loads saw
        self.accesses = ()

    def copy(self):
        other = object.__new__(State)
        for name, value in self.__dict__.items():
            other.__dict__[name] = value.copy() if isinstance(value, (list, dict)) else value
        return other

    def event(self, thread, after=()):
        """A new event, after the thread's newest one and the others given."""
        preceding = [e for e in (self.newest[thread], *after) if e is not None]
        bits = 0
        for e in preceding:
            bits |= self.before[e] | 1 << e
        self.before.append(bits)
        self.newest[thread] = len(self.before) - 1
        return self.newest[thread]

    def get(self, *objects):
        return [e for key in objects for e in self.given.get(key, ())]

    def give(self, event, key):
        self.given[key] = (*self.given.get(key, ()), event)

    def access(self, event, thread, line, first, size, writes, atomic):
        mine = Access(event, thread, line, first, first + size, writes, atomic)
        pairs = [
            frozenset((old.line, line))
            for old in self.accesses
            if old.thread != thread
            and old.first < mine.end
            and mine.first < old.end
            and (old.writes or writes)
            and not (old.atomic and atomic)
            and not self.before[event] >> old.event & 1
        ]
        if pairs:
            raise Race(pairs)
        self.accesses += (mine,)


class Oracle:
    def __init__(self, code):
        self.code = code

    # Which threads can take a step.

    def can_proceed(self, state, thread):
        where = state.where[thread]
        if where != AT:
            return where in (BEGIN, END, EXIT)
        kind, arguments = self.code[thread][state.pc[thread]][:2]
        which = arguments[0] if arguments else None
        match kind:
            case "join":
                return state.where[which] == ENDED
            case "lock":
                return state.mutexes[which] is None
            case "wlock":
                return state.writers[which] is None and state.readers[which] == 0
            case "rlock":
                return state.writers[which] is None
            case "once":
                return state.onces[which] < 0
        return True

    # Steps.

    def step(self, state, thread):
        """Changes the state. True: the execution is at its end."""
        where = state.where[thread]
        if where == EXIT:
            return True
        if where == END:
            state.where[thread] = ENDED
            state.give(state.event(thread), ("thread", thread))
            return False
        if where == BEGIN:
            state.event(thread, state.get(("create", thread)))
            state.where[thread] = AT
        else:
            instruction = self.code[thread][state.pc[thread]]
            state.pc[thread] += 1
            do = getattr(self, "do_" + instruction.kind)
            do(state, thread, instruction, *instruction.arguments)
        self.run_on(state, thread)
        return False

    def run_on(self, state, thread):
        code = self.code[thread]
        while state.pc[thread] < len(code):
            instruction = code[state.pc[thread]]
            if instruction.kind == "if":
                met = state.last[thread] == instruction.arguments[0]
                state.pc[thread] = state.pc[thread] + 1 if met else instruction.target
            elif instruction.kind in PLAIN:
                at, size = instruction.arguments
                writes = instruction.kind == "put"
                event = state.event(thread)
                state.access(event, thread, instruction.line, at, size, writes, False)
                if writes and at < race_model.MIXED_SIZE:  # a side effect that releases nothing
                    state.writes[race_model.MIXED] = Write(event, False, (), None)
                    if at == 0:  # where all of the small values are
                        state.values[race_model.MIXED] = 0
                state.pc[thread] += 1
            else:
                return
        state.where[thread] = EXIT if thread == 0 else END

    def do_create(self, state, thread, _, child):
        state.give(state.event(thread), ("create", child))
        state.where[child] = BEGIN

    def do_join(self, state, thread, _, child):
        state.event(thread, state.get(("thread", child)))

    def do_lock(self, state, thread, _, which):
        state.mutexes[which] = thread
        state.event(thread, state.get(("mutex", which)))

    def do_unlock(self, state, thread, _, which):
        state.mutexes[which] = None
        state.give(state.event(thread), ("mutex", which))

    def do_trylock(self, state, thread, instruction, which):
        state.last[thread] = int(state.mutexes[which] is None)
        if state.last[thread]:
            self.do_lock(state, thread, instruction, which)
        else:
            state.event(thread)

    def do_wlock(self, state, thread, _, which):
        state.writers[which] = thread
        state.event(thread, state.get(("wunlock", which), ("runlock", which)))

    def do_wunlock(self, state, thread, _, which):
        state.writers[which] = None
        state.give(state.event(thread), ("wunlock", which))

    def do_rlock(self, state, thread, _, which):
        state.readers[which] += 1
        state.event(thread, state.get(("wunlock", which)))

    def do_runlock(self, state, thread, _, which):
        state.readers[which] -= 1
        state.give(state.event(thread), ("runlock", which))

    def do_post(self, state, thread, _, which):
        state.counts[which] += 1
        state.give(state.event(thread), ("semaphore", which))

    def do_trywait(self, state, thread, _, which):
        state.last[thread] = int(state.counts[which] > 0)
        if state.last[thread]:
            state.counts[which] -= 1
        state.event(thread, state.get(("semaphore", which)) if state.last[thread] else ())

    def do_once(self, state, thread, instruction, which):
        state.event(thread, state.get(("once", which)))
        if state.onces[which] == DONE:
            state.pc[thread] = instruction.target
        else:
            state.onces[which] = thread

    def do_once_done(self, state, thread, _, which):
        state.onces[which] = DONE
        state.give(state.event(thread), ("once", which))

    def do_fence(self, state, thread, _, order):
        acquired = state.unfenced[thread] if order in ACQUIRES else ()
        event = state.event(thread, acquired)
        if order in RELEASES:
            state.fences[thread] += (event,)

    # Atomics: what they read, what they write, in which order.

    def atomic(self, state, thread, instruction, variable, order, reads, value):
        """value: what it writes; None: nothing."""
        seen, write = [], state.writes.get(variable)
        while reads and write is not None:
            seen += write.sources
            write = write.before if write.is_update else None
        event = state.event(thread, seen if order in ACQUIRES else ())
        state.unfenced[thread] += tuple(seen)
        if variable == race_model.MIXED:
            line, size = instruction.line, race_model.MIXED_SIZE
            state.access(event, thread, line, 0, size, value is not None, True)
        if reads:
            state.last[thread] = state.values[variable]
        if value is not None:
            sources = state.fences[thread] + ((event,) if order in RELEASES else ())
            state.writes[variable] = Write(event, reads, sources, state.writes.get(variable))
            state.values[variable] = value

    def do_load(self, state, thread, instruction, variable, order):
        self.atomic(state, thread, instruction, variable, order, True, None)

    def do_store(self, state, thread, instruction, variable, value, order):
        self.atomic(state, thread, instruction, variable, order, False, value)

    def do_add(self, state, thread, instruction, variable, order):
        value = state.values[variable] + 1
        self.atomic(state, thread, instruction, variable, order, True, value)

    def do_exchange(self, state, thread, instruction, variable, value, order):
        self.atomic(state, thread, instruction, variable, order, True, value)

    def do_cas(self, state, thread, instruction, variable, expected, desired, order, failure):
        done = state.values[variable] == expected
        how = (order, True, desired) if done else (failure, True, None)
        self.atomic(state, thread, instruction, variable, *how)
        state.last[thread] = int(done)


class TooMany(Exception):
    pass


class Counts:
    def __init__(self):
        self.executions = 0
        self.racing = 0
        self.pairs = set()  # of lines that race, as found first


def enumerate_all(code, limit):
    """Counts over all executions; each ends at its first race. At most so many, or TooMany."""
    oracle, counts = Oracle(code), Counts()

    def count():
        counts.executions += 1
        if counts.executions > limit:
            raise TooMany

    def below(state):
        able = [t for t in range(len(code)) if oracle.can_proceed(state, t)]
        assert able, "these programs have no deadlock"
        for thread in able:
            after = state.copy()
            try:
                if oracle.step(after, thread):
                    count()
                else:
                    below(after)
            except Race as race:
                count()
                counts.racing += 1
                counts.pairs.update(race.pairs)

    below(State(code))
    return counts

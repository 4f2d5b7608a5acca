"""A model of a part of the fuzzer's language that knows nothing of Heddle.

A state is: where each thread stands and what it remembers, the bytes of the buffer, the locks,
semaphores and pointers. All states that any interleaving reaches are visited, each once; what is
collected are the final values of programs that end, and the kinds of failures. One operation is one
step. What is local to a thread goes with the step before it: what comes of a lock that it holds
itself, or does not hold, among it, since nobody else has a say in that. Threads that wait for each
other for ever are a deadlock; a use of a freed object ends the execution.

Not modelled, and `covers` says so: plain accesses, time, descriptors, cancellation, conditions, what
spins or yields, and what else has outcomes that the standard leaves open.
"""

import notation

MOST_STATES = 200_000
BUFFER = 64
COVERED = {
    "create", "join", "detach", "ld", "st", "add", "orr", "xchg", "cas", "vld", "vst", "lock", "unlock", "trylock",
    "rdlock", "wrlock", "tryrd", "trywr", "rwunlock", "semwait", "sempost", "semtry", "semvalue", "spin", "unspin",
    "once", "make", "get", "take", "put", "old", "ost", "oadd", "olock", "ounlock",
    "osemwait", "osempost", "free", "choose", "assume", "assumenot", "assert", "assertnot", "exit", "if", "ifnot",
}  # fmt: skip
# No step of their own.
LOCAL = {"assume", "assumenot", "assert", "assertnot", "make", "if", "ifnot"}
NO_POINTER = 9
READERS, WRITER = 0, 1
UNLOCKED = ((), None)  # a reader-writer lock: who reads it, as often as they do; who writes it


class TooLarge(Exception):
    pass


def covers(program):
    names = notation.names_in(program)
    return not program.all_accesses and names <= COVERED


def flatten(operations, code):
    """Instructions (name, arguments, target); the target is where a body ends."""
    for operation in operations:
        index = len(code)
        code.append([operation.name, operation.arguments, 0])
        if notation.TABLE[operation.name][1] == "b":
            flatten(operation.body, code)
            if operation.name == "once":
                code.append(["oncedone", operation.arguments, 0])
            code[index][2] = len(code)
    return code


def mask(size):
    return (1 << 8 * size) - 1


def told(value, size):
    """As the interpreter notes it."""
    if size == 16:
        value = (value & mask(8)) + 3 * (value >> 64)
    return value & mask(8)


def widened(value, size):
    return value << 64 | value if size == 16 else value & mask(size)


def is_use(name):
    """Of the object that the thread's pointer leads to."""
    return name == "free" or name.startswith("o") and name not in ("orr", "once", "oncedone")


class Failed(Exception):
    pass


class Pruned(Exception):
    pass


class Ended(Exception):
    pass


class State:
    """Values only, so that a copy is cheap and a key is made at once."""

    __slots__ = ("threads", "buffer", "locks", "slots", "objects")

    def __init__(self, count):
        # Of a thread: place (None: it has not begun, -1: it has ended), last, pointer, results.
        self.threads = [(None, 0, 0, ())] * count
        self.buffer = bytes(BUFFER)
        self.locks = {}  # (kind, number): value
        self.slots = {}
        self.objects = ()  # of each object that was made: (freed, value, mutex holder, semaphore)

    def copy(self):
        other = State(0)
        other.threads, other.buffer = list(self.threads), self.buffer
        other.locks, other.slots, other.objects = dict(self.locks), dict(self.slots), self.objects
        return other

    def key(self):
        return (
            tuple(self.threads), self.buffer, tuple(sorted(self.locks.items())),
            tuple(sorted(self.slots.items())), self.objects,
        )  # fmt: skip


def with_begin(code):
    """A thread begins with a step of its own: what is local before its first operation comes after that."""
    return [("begin", (), None), *((name, arguments, target and target + 1) for name, arguments, target in code)]


class Machine:
    def __init__(self, program):
        bodies = [flatten(body, []) for body in program.bodies]
        self.codes = [bodies[0], *map(with_begin, bodies[1:])]

    def initial(self):
        state = State(len(self.codes))
        state.threads[0] = (0, 0, 0, ())
        return state

    def can_go(self, state, thread):
        place, _, pointer, _ = state.threads[thread]
        if place is None or place < 0:
            return False
        if place >= len(self.codes[thread]):
            return True
        name, arguments, _ = self.codes[thread][place]
        number = arguments[0] if arguments else 0
        if name in ("lock", "spin"):
            return state.locks.get((name, number)) is None
        if name == "wrlock":
            return state.locks.get(("rw", number), UNLOCKED) == UNLOCKED
        if name == "rdlock":
            return state.locks.get(("rw", number), UNLOCKED)[WRITER] is None
        if name == "semwait":
            return state.locks.get(("sem", number), 0) > 0
        if name == "join":
            return state.threads[number][0] == -1
        if name == "once":
            return state.locks.get(("once", number)) != "running"
        if pointer and name in ("olock", "osemwait"):
            freed, _, holder, semaphore = state.objects[pointer - 1]
            return freed or (holder is None if name == "olock" else semaphore > 0)
        return True

    def options(self, state, thread):
        """In how many ways its next step can go."""
        place = state.threads[thread][0]
        at_end = place >= len(self.codes[thread])
        return range(self.codes[thread][place][1][0] if not at_end and self.codes[thread][place][0] == "choose" else 1)

    def step(self, state, thread, outcome):
        """The state after it, with what is local behind it. Throws."""
        if state.threads[thread][0] < len(self.codes[thread]):
            return self.perform(state.copy(), thread, outcome)
        if thread == 0:
            raise Ended
        after = state.copy()
        after.threads[thread] = (-1, *state.threads[thread][1:])
        return after

    def perform(self, state, thread, outcome):
        place, last, pointer, results = state.threads[thread]
        name, arguments, target = self.codes[thread][place]
        value = None
        place += 1
        if name == "choose":
            value = outcome
        elif name == "create":
            state.threads[arguments[0]] = (0, 0, 0, ())
        elif name == "begin":
            pass
        elif name == "exit":
            raise Ended
        elif name in ("ld", "vld", "st", "vst", "add", "orr", "xchg", "cas"):
            value = self.access(state, name, *arguments)
        elif name == "once":
            if ("once", arguments[0]) in state.locks:
                place = target
            else:
                state.locks["once", arguments[0]] = "running"
        elif name == "oncedone":
            state.locks["once", arguments[0]] = "done"
        elif name in ("get", "take", "put"):
            slot = arguments[0]
            if name == "put":
                state.slots[slot] = pointer
            else:
                pointer = state.slots.get(slot, 0)
                value = int(pointer != 0)
                if name == "take":
                    state.slots[slot] = 0
        elif is_use(name):
            value = self.use(state, thread, name, pointer, arguments)
        elif name not in ("join", "detach"):
            value = self.synchronise(state, thread, name, arguments[0])
        if value is not None:
            last, results = value, (*results, value)
        state.threads[thread] = (place, last, pointer, results)
        self.go_on(state, thread)
        return state

    def access(self, state, name, offset, size, *values):
        old = int.from_bytes(state.buffer[offset : offset + size], "little")
        if name in ("ld", "vld"):
            return told(old, size)
        given = [widened(value, size) for value in values]
        if name == "cas":
            new = given[1] if old == given[0] else old
        elif name in ("st", "vst", "xchg"):
            new = given[0]
        elif name == "add":
            new = (old + values[0]) & mask(size)
        else:
            new = old | given[0]
        data = new.to_bytes(size, "little")
        state.buffer = state.buffer[:offset] + data + state.buffer[offset + size :]
        return None if name in ("st", "vst") else told(old, size)

    def synchronise(self, state, thread, name, number):
        locks = state.locks
        if name in ("lock", "spin"):
            locks[name, number] = thread
        elif name in ("unlock", "unspin"):
            locks[name.removeprefix("un"), number] = None
        elif name == "trylock":
            free = locks.get(("lock", number)) is None
            if free:
                locks["lock", number] = thread
            return int(free)
        elif name in ("semwait", "sempost"):
            locks["sem", number] = locks.get(("sem", number), 0) + (1 if name == "sempost" else -1)
        elif name == "semtry":
            count = locks.get(("sem", number), 0)
            locks["sem", number] = max(0, count - 1)
            return int(count > 0)
        elif name == "semvalue":
            return locks.get(("sem", number), 0)
        else:
            return self.read_write(locks, thread, name, number)
        return None

    def read_write(self, locks, thread, name, number):
        readers, writer = locks.get(("rw", number), UNLOCKED)
        if name == "rwunlock":
            if writer is None:
                place = readers.index(thread)
                readers = (*readers[:place], *readers[place + 1 :])
            locks["rw", number] = (readers, None)
            return None
        if name in ("tryrd", "trywr") and (writer is not None or name == "trywr" and readers):
            return 0
        reads = name in ("rdlock", "tryrd")
        locks["rw", number] = (tuple(sorted((*readers, thread))), None) if reads else ((), thread)
        return 1 if name.startswith("try") else None

    def arrive(self, state, thread, pointer, name, arguments):
        """What a lock makes of an operation at once, whoever goes next: a failure; True: nothing, and there
        is no step; or a value, without a step."""
        locks = state.locks
        number = arguments[0] if arguments else 0
        if name in ("lock", "spin") and locks.get((name, number)) == thread:
            raise Failed("misuse")
        if name == "trylock" and locks.get(("lock", number)) == thread:
            return 0
        if name in ("unlock", "unspin") and locks.get((name.removeprefix("un"), number)) != thread:
            raise Failed("misuse")
        if name in ("rdlock", "wrlock", "rwunlock"):
            readers, writer = locks.get(("rw", number), UNLOCKED)
            if name != "rwunlock" and writer == thread:
                return True
            holds = thread in readers or writer == thread
            if name == "wrlock" and holds or name == "rwunlock" and not holds:
                raise Failed("misuse")
        if not pointer and is_use(name):
            return NO_POINTER if notation.TABLE[name][1] == "v" else True
        if name in ("olock", "ounlock"):
            freed, _, holder, _ = state.objects[pointer - 1]
            if (holder == thread) == (name == "olock"):
                raise Failed("use-after-free" if freed else "misuse")
        return None

    def use(self, state, thread, name, pointer, arguments):
        freed, content, holder, semaphore = state.objects[pointer - 1]
        if freed:
            raise Failed("double-free" if name == "free" else "use-after-free")
        value = None
        if name == "free":
            freed = True
        elif name == "old":
            value = content
        elif name == "ost":
            content = arguments[0]
        elif name == "oadd":
            value, content = content, content + arguments[0]
        elif name == "olock":
            holder = thread
        elif name == "ounlock":
            holder = None
        else:
            semaphore += 1 if name == "osempost" else -1
        changed = (freed, content, holder, semaphore)
        state.objects = (*state.objects[: pointer - 1], changed, *state.objects[pointer:])
        return value

    def go_on(self, state, thread):
        """Through what is local, up to the next operation."""
        code = self.codes[thread]
        place, last, pointer, results = state.threads[thread]
        while place < len(code):
            name, arguments, target = code[place]
            if name not in LOCAL:
                answer = self.arrive(state, thread, pointer, name, arguments)
                if answer is None:
                    break
                if answer is not True:
                    last, results = answer, (*results, answer)
            place += 1
            if name in ("if", "ifnot") and (last == arguments[0]) != (name == "if"):
                place = target
            elif name in ("assume", "assumenot") and (last == arguments[0]) != (name == "assume"):
                raise Pruned
            elif name in ("assert", "assertnot") and (last == arguments[0]) != (name == "assert"):
                raise Failed("assertion")
            elif name == "make":
                state.objects = (*state.objects, (False, 0, None, 1))
                pointer = len(state.objects)
        state.threads[thread] = (place, last, pointer, results)

    def final(self, state):
        """As the interpreter writes it."""
        words = [
            f"{i:x}:" + ",".join(f"{value:x}" for value in results)
            for i, (_, _, _, results) in enumerate(state.threads)
            if results
        ]
        return " ".join([*words, "m" + state.buffer.hex()])


def outcomes(program):
    """The kinds of failures, and the final values."""
    machine = Machine(program)
    failures, finals, seen = set(), set(), set()
    waiting = [machine.initial()]
    try:
        machine.go_on(waiting[0], 0)
    except Pruned:
        return failures, finals
    except Failed as failure:
        return {str(failure)}, finals
    while waiting:
        state = waiting.pop()
        able = [i for i in range(len(machine.codes)) if machine.can_go(state, i)]
        if not able:
            failures.add("deadlock")
        for thread, outcome in [(t, o) for t in able for o in machine.options(state, t)]:
            try:
                after = machine.step(state, thread, outcome)
                if after.key() not in seen:
                    seen.add(after.key())
                    waiting.append(after)
            except Ended:
                finals.add(machine.final(state))
            except Pruned:
                pass
            except Failed as failure:
                failures.add(str(failure))
        if len(seen) > MOST_STATES:
            raise TooLarge
    return failures, finals

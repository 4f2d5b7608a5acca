"""A model of a part of the fuzzer's language that knows nothing of Heddle.

A state is: where each thread stands and what it remembers, the bytes of the buffer, the locks,
semaphores and pointers. All states that any interleaving reaches are visited, each once; what is
collected are the final values of programs that end, and the kinds of failures. One operation is one
step. What is local to a thread goes with the step before it: what comes of a lock that it holds
itself, or does not hold, among it, since nobody else has a say in that. Threads that wait for each
other for ever are a deadlock; a use of a freed object ends the execution.

Not modelled, and `covers` says so: time, chance, numbers of descriptors, cancellation, what yields, and
what else has outcomes that the standard leaves open.
"""

import model_objects
import model_retry
import notation
from model_objects import Unknown

MOST_STATES = 200_000
BUFFER = 64
COVERED = {
    "create", "join", "detach", "ld", "st", "add", "orr", "xchg", "cas", "vld", "vst", "lock", "unlock", "trylock",
    "rdlock", "wrlock", "tryrd", "trywr", "rwunlock", "semwait", "sempost", "semtry", "semvalue", "spin", "unspin",
    "once", "make", "get", "take", "put", "old", "ost", "oadd", "olock", "ounlock", "otrylock", "osemtry", "ordlock",
    "owrlock", "orwunlock", "ospin", "ounspin", "osignal", "opld", "opst", "realloc", "osemwait", "osempost", "free",
    "choose", "assume", "assumenot", "assert", "assertnot", "exit", "if", "ifnot", "repeat", "pld", "pst", "memset",
    "memcpy", "copy", "tlock", "tunlock", "slock", "sunlock", "sshared", "sunshared", "strylock", "retry",
    *model_objects.COVERED,
}  # fmt: skip
# No step of their own.
LOCAL = {"assume", "assumenot", "assert", "assertnot", "make", "if", "ifnot", *model_objects.MAKERS}
BYTES = {"ld", "vld", "pld", "st", "vst", "pst", "add", "orr", "xchg", "cas"}
# Operations on locks and semaphores, by what they are on and what they do. The library's mutexes are those of pthreads,
# and so are those in objects of the heap, which have the object's number.
LOCKS = {
    "lock": ("lock", "lock"), "unlock": ("lock", "unlock"), "trylock": ("lock", "trylock"), "spin": ("spin", "lock"),
    "unspin": ("spin", "unlock"), "tlock": ("timed", "lock"), "tunlock": ("timed", "unlock"),
    "rdlock": ("rw", "rdlock"), "wrlock": ("rw", "wrlock"), "tryrd": ("rw", "tryrd"), "trywr": ("rw", "trywr"),
    "rwunlock": ("rw", "rwunlock"), "slock": ("shared", "wrlock"), "sunlock": ("shared", "rwunlock"),
    "sshared": ("shared", "rdlock"), "sunshared": ("shared", "rwunlock"), "strylock": ("shared", "trywr"),
    "semwait": ("sem", "semwait"), "sempost": ("sem", "sempost"), "semtry": ("sem", "semtry"),
    "semvalue": ("sem", "semvalue"), "olock": ("olock", "lock"), "ounlock": ("olock", "unlock"),
    "otrylock": ("olock", "trylock"), "ospin": ("ospin", "lock"), "ounspin": ("ospin", "unlock"),
    "ordlock": ("orw", "rdlock"), "owrlock": ("orw", "wrlock"), "orwunlock": ("orw", "rwunlock"),
    "osemwait": ("osem", "semwait"), "osempost": ("osem", "sempost"), "osemtry": ("osem", "semtry"),
}  # fmt: skip
IN_OBJECTS = ("olock", "ospin", "orw", "osem")
NO_POINTER = 9
WRITER = 1
UNLOCKED = ((), None)  # a reader-writer lock: who reads it, as often as they do; who writes it
BODIES, THREADS = 6, 160  # of the interpreter: where results of threads are that are not the first of their body


def covers(program):
    """Where plain accesses are steps, a compare-exchange has further ones: those of what it expects. Where they are none,
    somebody may leave between them and the operation that they come with."""
    names = notation.names_in(program)
    return names <= COVERED and not names & ({"cas", "retry"} if program.all_accesses else {"pld", "pst"})


def flatten(operations, code):
    """Instructions (name, arguments, target); the target is where a body ends."""
    for operation in operations:
        if operation.name == "repeat":
            for _ in range(operation.arguments[0]):
                flatten(operation.body, code)
            continue
        if operation.name == "retry":
            code += model_retry.flatten(operation.arguments)
            continue
        index = len(code)
        code.append([operation.name, operation.arguments, 0])
        if operation.name in model_objects.TWO_STEPS:
            code.append([model_objects.TWO_STEPS[operation.name], operation.arguments, 0])
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
    return name in ("free", "realloc") or name.startswith("o") and name not in ("orr", "once", "oncedone")


def lock_of(name, arguments, pointer):
    """What it is on, and what it does there."""
    kind, operation = LOCKS[name]
    return (kind, pointer if kind in IN_OBJECTS else arguments[0]), operation


class Failed(Exception):
    pass


class Pruned(Exception):
    pass


class Ended(Exception):
    pass


class State:
    """Values only, so that a copy is cheap and a key is made at once."""

    __slots__ = ("threads", "buffer", "locks", "slots", "objects", "past")

    def __init__(self, count):
        # Of a thread: place (None: it has not begun, -1: it has ended), last, pointer, results.
        self.threads = [(None, 0, 0, ())] * count
        self.buffer = bytes(BUFFER)
        self.locks = {}  # (kind, number): value
        self.slots = {}
        self.objects = ()  # of each object that was made: (freed, value, plain value)
        self.past = ()  # of threads whose body was begun again: (body, results)

    def copy(self):
        other = State(0)
        other.threads, other.buffer, other.past = list(self.threads), self.buffer, self.past
        other.locks, other.slots, other.objects = dict(self.locks), dict(self.slots), self.objects
        return other

    def key(self):
        return (
            tuple(self.threads), self.buffer, tuple(sorted(self.locks.items())),
            tuple(sorted(self.slots.items())), self.objects, self.past,
        )  # fmt: skip

    def is_freed(self, pointer):
        return self.objects[pointer - 1][0]

    def make_object(self, freed=False, value=0, plain=0):
        self.objects = (*self.objects, (freed, value, plain))
        self.locks["osem", len(self.objects)] = 1
        return len(self.objects)

    def change_object(self, pointer, changed):
        self.objects = (*self.objects[: pointer - 1], changed, *self.objects[pointer:])


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
        if is_use(name) and state.is_freed(pointer):
            return True
        if name in LOCKS:
            lock, operation = lock_of(name, arguments, pointer)
            if operation == "lock":
                return state.locks.get(lock) is None
            if operation == "wrlock":
                return state.locks.get(lock, UNLOCKED) == UNLOCKED
            if operation == "rdlock":
                return state.locks.get(lock, UNLOCKED)[WRITER] is None
            return operation != "semwait" or state.locks.get(lock, 0) > 0
        if name == "join":
            return state.threads[arguments[0]][0] == -1
        if name == "once":
            return state.locks.get(("once", arguments[0])) != "running"
        return model_objects.can_go(state.locks, thread, name, arguments)

    def options(self, state, thread):
        """In how many ways its next step can go."""
        place = state.threads[thread][0]
        if place >= len(self.codes[thread]):
            return range(1)
        name, arguments, _ = self.codes[thread][place]
        return range(arguments[0] if name == "choose" else model_objects.ways(state.locks, name, arguments))

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
            self.create(state, arguments[0])
        elif name in ("begin", "join", "detach"):
            pass
        elif name == "exit":
            raise Ended
        elif name in model_retry.STEPS:
            last, ahead, value = model_retry.step(self, state, name, arguments, last, told)
            place += ahead - 1
        elif name in BYTES:
            value = self.access(state, name, *arguments)
        elif name in ("memset", "memcpy", "copy"):
            self.copy(state, name, *arguments)
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
            value, pointer = self.use(state, thread, name, pointer, arguments)
        elif name in LOCKS:
            value = self.synchronise(state.locks, thread, *lock_of(name, arguments, pointer))
        else:
            value = model_objects.perform(state.locks, thread, name, arguments, outcome)
        if value is not None:
            last, results = value, (*results, value)
        state.threads[thread] = (place, last, pointer, results)
        self.go_on(state, thread)
        return state

    def create(self, state, body):
        if state.threads[body][0] is not None:
            state.past = (*state.past, (body, state.threads[body][3]))
        state.threads[body] = (0, 0, 0, ())

    def access(self, state, name, offset, size, *values):
        old = int.from_bytes(state.buffer[offset : offset + size], "little")
        if name in ("ld", "vld", "pld"):
            return told(old, size)
        given = [widened(value, size) for value in values]
        if name == "cas":
            new = given[1] if old == given[0] else old
        elif name in ("st", "vst", "pst", "xchg"):
            new = given[0]
        elif name == "add":
            new = (old + values[0]) & mask(size)
        else:
            new = old | given[0]
        self.write(state, offset, new.to_bytes(size, "little"))
        return None if name in ("st", "vst", "pst") else told(old, size)

    def copy(self, state, name, to, *given):
        if name == "memset":
            count, value = given
            self.write(state, to, bytes([value]) * count)
        else:
            source, count = given if name == "memcpy" else (*given, 12)
            if to != source and abs(to - source) < count:
                raise Unknown  # what overlaps is copied in an order that is the compiler's
            self.write(state, to, state.buffer[source : source + count])

    @staticmethod
    def write(state, offset, data):
        state.buffer = state.buffer[:offset] + data + state.buffer[offset + len(data) :]

    def synchronise(self, locks, thread, lock, operation):
        if operation == "lock":
            locks[lock] = thread
        elif operation == "unlock":
            locks[lock] = None
        elif operation == "trylock":
            free = locks.get(lock) is None
            if free:
                locks[lock] = thread
            return int(free)
        elif operation in ("semwait", "sempost"):
            locks[lock] = locks.get(lock, 0) + (1 if operation == "sempost" else -1)
        elif operation == "semtry":
            count = locks.get(lock, 0)
            locks[lock] = max(0, count - 1)
            return int(count > 0)
        elif operation == "semvalue":
            return locks.get(lock, 0)
        else:
            return self.read_write(locks, thread, lock, operation)
        return None

    def read_write(self, locks, thread, lock, operation):
        readers, writer = locks.get(lock, UNLOCKED)
        if operation == "rwunlock":
            if writer is None:
                place = readers.index(thread)
                readers = (*readers[:place], *readers[place + 1 :])
            locks[lock] = (readers, None)
            return None
        if operation in ("tryrd", "trywr") and (writer is not None or operation == "trywr" and readers):
            return 0
        reads = operation in ("rdlock", "tryrd")
        locks[lock] = (tuple(sorted((*readers, thread))), None) if reads else ((), thread)
        return 1 if operation.startswith("try") else None

    def arrive(self, state, thread, pointer, name, arguments):
        """What a lock makes of an operation at once, whoever goes next: a failure; True: nothing, and there
        is no step; or a value, without a step."""
        if not pointer and is_use(name):
            return NO_POINTER if notation.TABLE[name][1] == "v" else True
        if name not in LOCKS:
            return None
        lock, operation = lock_of(name, arguments, pointer)
        misuse = "use-after-free" if is_use(name) and state.is_freed(pointer) else "misuse"
        if operation in ("lock", "unlock") and (state.locks.get(lock) == thread) == (operation == "lock"):
            raise Failed(misuse)
        if operation == "trylock" and state.locks.get(lock) == thread:
            return 0
        if operation in ("rdlock", "wrlock", "rwunlock"):
            readers, writer = state.locks.get(lock, UNLOCKED)
            if operation != "rwunlock" and writer == thread:
                return True
            holds = thread in readers or writer == thread
            if operation == "wrlock" and holds or operation == "rwunlock" and not holds:
                raise Failed(misuse)
        return None

    def use(self, state, thread, name, pointer, arguments):
        """Its value, and the pointer."""
        freed, content, plain = state.objects[pointer - 1]
        if freed:
            raise Failed("double-free" if name in ("free", "realloc") else "use-after-free")
        value = None
        if name in LOCKS:
            return self.synchronise(state.locks, thread, *lock_of(name, arguments, pointer)), pointer
        if name == "free":
            freed = True
        elif name == "realloc":  # it has moved
            state.change_object(pointer, (True, content, plain))
            new = state.make_object(False, content, plain)
            for kind in IN_OBJECTS:
                if (kind, pointer) in state.locks:
                    state.locks[kind, new] = state.locks[kind, pointer]
            return None, new
        elif name == "old":
            value = content
        elif name == "opld":
            value = plain
        elif name == "ost":
            content = arguments[0]
        elif name == "opst":
            plain = arguments[0]
        elif name == "oadd":
            value, content = content, content + arguments[0]
        state.change_object(pointer, (freed, content, plain))  # osignal: nobody waits
        return value, pointer

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
                pointer = state.make_object()
            elif name in model_objects.MAKERS:
                model_objects.make(state.locks, name, arguments)
        state.threads[thread] = (place, last, pointer, results)

    def final(self, state):
        """As the interpreter writes it: results of the first thread of a body, then those of further ones."""
        begun, results_at = {}, {}
        for body, results in (*state.past, *((i, thread[3]) for i, thread in enumerate(state.threads))):
            before = begun.get(body, 0)
            begun[body] = before + 1
            results_at[body if before == 0 else BODIES + (before - 1) % (THREADS - BODIES)] = results
        words = [
            f"{place:x}:" + ",".join(f"{value & mask(8):x}" for value in results)
            for place, results in sorted(results_at.items())
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
            raise Unknown
    return failures, finals

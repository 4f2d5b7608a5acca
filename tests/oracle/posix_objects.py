"""What a model program does with reader-writer locks, semaphores, barriers, spin locks,
error-checking mutexes and futexes: the part of machine.py that knows them.

Written from the standards' words, not from the runtime:

- Many may hold a reader-writer lock for reading, or one for writing. Locks 0 and 1 let readers pass
  writers that wait. Locks 2 and 3 prefer writers: while one waits, nobody comes in for reading.
  So it matters whether a writer waits or has yet to come, and its coming is a step: it takes a free
  lock, or begins to wait, and taking the lock is a second step then.
- A thread that holds the lock for writing is told so when it locks it again; one that holds it for
  reading and wants to write would wait for itself: a misuse. Neither takes a step.
- A semaphore has a value, 0 at first; waiting for it takes 1 as soon as there is one.
- Arriving at a barrier is a step. The last one to arrive lets all others go, for each of which
  passing is another step.
- An error-checking mutex tells its holder, and those who are not, without a step.
- A futex wait looks at its variable and sleeps, in one step, or does not sleep; waking is a second
  step. A wake of one lets any one of the sleepers go.
- With a time limit: the time-out is the step while the thread would have to wait; it is late.
"""

from typing import NamedTuple

# Where a thread is, beside machine.py's places: it sleeps at a barrier or futex; it has been let
# go; it waits for a lock that prefers writers.
ASLEEP, WOKEN, QUEUED = 100, 101, 102

NOBODY = -1
PREFERS_WRITERS = (2, 3)


class Objects(NamedTuple):
    rwlocks: tuple  # of (writer, readers, writers that wait); readers and waiters are sorted
    semaphores: tuple
    barriers: tuple  # for each who has arrived; number n is for n + 1 threads
    spins: tuple  # of holders
    checked: tuple  # of holders: error-checking mutexes
    futexes: tuple  # for each variable its sleepers, in order of arrival


UNLOCKED = (NOBODY, (), ())


def start(count):
    def each(value):
        return (value,) * count

    return Objects(
        each(UNLOCKED), each(0), each(()), each(NOBODY), each(NOBODY), each(())
    )


def can_read(rwlock):
    writer, _, waiting = rwlock
    return writer == NOBODY and not waiting


def can_write(rwlock):
    writer, readers, _ = rwlock
    return writer == NOBODY and not readers


# What a thread waits for, by its operation: what must hold of the objects.
CONDITIONS = {
    "rdlock": lambda objects, n: can_read(objects.rwlocks[n]),
    "wrlock": lambda objects, n: can_write(objects.rwlocks[n]),
    "semwait": lambda objects, n: objects.semaphores[n] > 0,
    "spinlock": lambda objects, n: objects.spins[n] == NOBODY,
    "elock": lambda objects, n: objects.checked[n] == NOBODY,
}  # fmt: skip
TIMED = {"timedrd": "rdlock", "timedwr": "wrlock", "semtimedwait": "semwait", "etimedlock": "elock"}


def enabled(objects, where, kind, arguments):
    """As Machine._enabled, of the operations here; None of others."""
    number = arguments[0] if arguments else None
    if where == WOKEN:
        return 1, False
    if where == ASLEEP:
        return (1, True) if kind == "ftimedwait" else (0, False)
    if kind == "fwake":
        return max(1, len(objects.futexes[number]) if arguments[1] == 1 else 1), False
    if kind in ("wrlock", "timedwr") and number in PREFERS_WRITERS and where != QUEUED:
        return 1, False
    permitted = CONDITIONS.get(TIMED.get(kind, kind))
    if permitted is None:
        return None
    if kind in TIMED:
        return 1, not permitted(objects, number)
    return int(permitted(objects, number)), False


def touched(objects, where, kind, arguments, outcome):
    """As equivalence.touched: the step's name, whom it lets go, the object, if it changes it; None
    of operations that are not here."""
    number = arguments[0] if arguments else None
    if kind in ("fwait", "ftimedwait", "fwake"):
        sleepers = objects.futexes[number]
        if kind == "fwake" and arguments[1] == 1:
            sleepers = sleepers[outcome : outcome + 1]
        return f"{kind} {where}", sleepers if kind == "fwake" else (), ("variable", number), True
    if kind == "barrier":
        arrived = objects.barriers[number]
        opens = where not in (ASLEEP, WOKEN) and len(arrived) == number
        return f"{kind} {where}", arrived if opens else (), ("barrier", number), True
    if kind in ("rdlock", "wrlock", "tryrd", "trywr", "timedrd", "timedwr", "rwunlock"):
        return f"{kind} {where}", (), ("rwlock", number), True
    for prefix, name in [("sem", "semaphore"), ("spin", "spin")]:
        if kind.startswith(prefix):
            return kind, (), (name, number), kind != "semvalue"
    if kind in ("elock", "eunlock", "etrylock", "etimedlock"):
        return kind, (), ("checked", number), True
    return None


class Operations:
    """The operations, for machine._Step: (instruction, outcome, arguments)."""

    def put(self, kind, number, value):
        objects = list(getattr(self.posix, kind))
        objects[number] = value
        self.posix = self.posix._replace(**{kind: tuple(objects)})

    def without_step(self, instruction):
        """If the operation takes no step: the ending that it leads to, or "" for none. None: it
        takes one."""
        kind, arguments = instruction.kind, instruction.arguments
        if kind in ("rdlock", "wrlock", "timedrd", "timedwr"):
            writer, readers, _ = self.posix.rwlocks[arguments[0]]
            if kind == "wrlock" and self.me in readers:
                return "misuse"
            refused = writer == self.me
        elif kind == "spinlock":
            return "misuse" if self.posix.spins[arguments[0]] == self.me else None
        elif kind in ("elock", "etrylock", "etimedlock"):
            refused = self.posix.checked[arguments[0]] == self.me
        elif kind == "eunlock":
            refused = self.posix.checked[arguments[0]] != self.me
        else:
            return None
        if not refused:
            return None
        self.result(instruction, 0)
        return ""

    # Reader-writer locks.

    def do_tryrd(self, instruction, _, number):
        writer, readers, waiting = rwlock = self.posix.rwlocks[number]
        free = can_read(rwlock)
        if free:
            self.put("rwlocks", number, (writer, tuple(sorted((*readers, self.me))), waiting))
        self.result(instruction, int(free))

    do_rdlock = do_timedrd = do_tryrd

    def do_trywr(self, instruction, _, number):
        _, readers, waiting = rwlock = self.posix.rwlocks[number]
        free = can_write(rwlock)
        if free:
            self.put("rwlocks", number, (self.me, readers, waiting))
        self.result(instruction, int(free))

    def do_wrlock(self, instruction, outcome, number):
        writer, readers, waiting = rwlock = self.posix.rwlocks[number]
        if number not in PREFERS_WRITERS or can_write(rwlock):
            self.do_trywr(instruction, outcome, number)
            return
        self.put("rwlocks", number, (writer, readers, tuple(sorted((*waiting, self.me)))))
        self.where = QUEUED
        self.pc -= 1  # it stays at its operation

    do_timedwr = do_wrlock

    def resume_wrlock(self, instruction, outcome, number):
        writer, readers, waiting = self.posix.rwlocks[number]
        others = tuple(t for t in waiting if t != self.me)
        self.put("rwlocks", number, (writer, readers, others))
        self.do_trywr(instruction, outcome, number)

    resume_timedwr = resume_wrlock

    def do_rwunlock(self, _, __, number):
        writer, readers, waiting = self.posix.rwlocks[number]
        if writer == self.me:
            self.put("rwlocks", number, (NOBODY, readers, waiting))
            return
        left = list(readers)
        left.remove(self.me)
        self.put("rwlocks", number, (writer, tuple(left), waiting))

    # Semaphores.

    def do_semtrywait(self, instruction, _, number):
        value = self.posix.semaphores[number]
        if value > 0:
            self.put("semaphores", number, value - 1)
        self.result(instruction, int(value > 0))

    do_semwait = do_semtimedwait = do_semtrywait

    def do_sempost(self, _, __, number):
        self.put("semaphores", number, self.posix.semaphores[number] + 1)

    def do_semvalue(self, instruction, _, number):
        self.result(instruction, self.posix.semaphores[number])

    # Barriers and futexes.

    def fall_asleep(self):
        self.where = ASLEEP
        self.pc -= 1  # it stays at its operation

    def let_go(self, sleepers):
        for sleeper in sleepers:
            _, pc, last = self.threads[sleeper]
            self.threads[sleeper] = (WOKEN, pc, last)

    def do_barrier(self, instruction, _, number):
        arrived = self.posix.barriers[number]
        if len(arrived) < number:
            self.put("barriers", number, (*arrived, self.me))
            self.fall_asleep()
            return
        self.put("barriers", number, ())
        self.let_go(arrived)
        self.result(instruction, 1)

    def resume_barrier(self, instruction, _, __):
        self.result(instruction, 0)

    def do_fwait(self, instruction, _, variable, value):
        if self.variables[variable] != value:
            self.result(instruction, 0)
            return
        self.put("futexes", variable, (*self.posix.futexes[variable], self.me))
        self.fall_asleep()

    do_ftimedwait = do_fwait

    def resume_fwait(self, instruction, _, variable, __):
        sleepers = self.posix.futexes[variable]
        timed_out = self.me in sleepers
        self.put("futexes", variable, tuple(t for t in sleepers if t != self.me))
        self.result(instruction, 2 if timed_out else 1)

    resume_ftimedwait = resume_fwait

    def do_fwake(self, instruction, outcome, variable, count):
        sleepers = self.posix.futexes[variable]
        woken = sleepers[outcome : outcome + 1] if count == 1 else sleepers[:count]
        self.put("futexes", variable, tuple(t for t in sleepers if t not in woken))
        self.let_go(woken)
        self.result(instruction, len(woken))

    # Spin locks and error-checking mutexes.

    def take_or_not(self, instruction, kind, number):
        free = getattr(self.posix, kind)[number] == NOBODY
        if free:
            self.put(kind, number, self.me)
        self.result(instruction, int(free))

    def do_spintrylock(self, instruction, _, number):
        self.take_or_not(instruction, "spins", number)

    do_spinlock = do_spintrylock

    def do_spinunlock(self, _, __, number):
        assert self.posix.spins[number] == self.me
        self.put("spins", number, NOBODY)

    def do_etrylock(self, instruction, _, number):
        self.take_or_not(instruction, "checked", number)

    do_elock = do_etimedlock = do_etrylock

    def do_eunlock(self, instruction, _, number):
        self.put("checked", number, NOBODY)
        self.result(instruction, 1)

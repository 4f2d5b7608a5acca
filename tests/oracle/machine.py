"""What a model program does: its states, which steps are open in a state, what a step changes.

Written from the rules, not from the runtime, with which it shares nothing:

- A thread has one pending operation. A step performs it and runs on to the next one.
- The first operation of every thread is its begin. The last is its end, or for main the exit, which
  ends the execution there and then, whatever the others are at. If main leaves by pthread_exit, it
  has an end too, and the thread that ends last makes the exit after it.
- join waits for the end of its thread; lock for its mutex; call_once and the guard of a static
  while another thread is at it.
- A wait is two steps: it lets go of the mutex and sleeps; signalled, it stands for the mutex again.
  A timed wait that is not signalled yet may time out instead, as a step of its own before that.
- A timed lock takes a free mutex; while the mutex is held its step is the time-out.
- A signal wakes any one of the sleepers: an outcome for each, and one if there is none.
- These take no step: locking again, unlocking not for the last time, or trying, a recursive mutex
  that the thread holds; trying a mutex that it holds itself; choose(1).
- Locking a mutex again that is not recursive ends the execution as a misuse, without a step.
- yield, sleep and time-outs are late: they give way to all others.
- Reader-writer locks, semaphores, barriers, futexes and more are in posix_objects.py.
"""

from typing import NamedTuple

import model
import posix_objects

# Where a thread is. At both RELOCKs it stands for the mutex of the wait at its pc.
UNBORN, BEGIN, AT, SLEEPING, RELOCK, RELOCK_LATE, ENDED, AT_EXIT = range(8)

FREE = (-1, 0)  # of a mutex: holder, how often beyond the first
UNTOUCHED, DONE = -1, -2  # of once flags and statics; in progress: who

UNMET = {"assert": "assertion", "assume": "pruned"}  # how it ends if last is another

# To the fair scheduler a step is no yield, a yield, or a try in vain.
NONE, YIELD, IN_VAIN = range(3)
TRIES = {
    "trylock", "rtrylock", "etrylock", "spintrylock", "tryrd", "trywr", "semtrywait", "tryjoin",
}  # fmt: skip
TIMED = {
    "timedlock", "rtimedlock", "etimedlock", "timedrd", "timedwr", "semtimedwait", "timedjoin",
}  # fmt: skip


class State(NamedTuple):
    threads: tuple  # of (where, pc, last)
    mutexes: tuple  # of (holder, depth)
    recursives: tuple
    sleepers: tuple  # for each condition its sleepers, in order of arrival
    variables: tuple
    onces: tuple
    statics: tuple
    posix: posix_objects.Objects
    results: tuple  # for each thread those of its slots; None: not yet
    printed: str | None  # the final values, once main has come to its exit


class Ending(NamedTuple):
    kind: str  # "finished", "deadlock", "assertion", "misuse", "pruned"
    values: str | None  # the final values, if main had come to its end


class Option(NamedTuple):
    thread: int
    outcome: int
    late: bool


class Instruction(NamedTuple):
    kind: str
    arguments: tuple = ()
    slot: int = -1
    target: int = -1  # of jumps



def flatten(operations):
    """The structured operations of a thread as instructions with jumps."""
    code = []

    def emit(kind, *arguments, slot=-1):
        code.append(Instruction(kind, arguments, slot))
        return len(code) - 1

    def patch(place):
        code[place] = code[place]._replace(target=len(code))

    def add(operations):
        for operation in operations:
            kind, arguments = operation.kind, operation.arguments
            if kind in ("if", "while"):
                test = emit("unless", *arguments)
                add(operation.body)
                if kind == "while":
                    code.append(Instruction("jump", target=test))
                patch(test)
            elif kind == "once":
                entry = emit("once", *arguments)
                add(operation.body)
                emit("once_done", *arguments)
                patch(entry)
            elif kind == "static":
                look = emit("static_look", *arguments)
                entry = emit("static_enter", *arguments)
                emit("add", arguments[0], 1)
                emit("static_done", *arguments)
                patch(look)
                patch(entry)
            elif kind != "leave":  # Program.main_leaves says it
                emit(kind, *arguments, slot=operation.slot)

    add(operations)
    return tuple(code)


def is_last(threads, thread):
    others = (where for t, (where, _, _) in enumerate(threads) if t != thread)
    return all(where in (UNBORN, ENDED) for where in others)


class Machine:
    def __init__(self, program: model.Program):
        self.program = program
        self.code = tuple(flatten(body) for body in program.threads)

    def start(self):
        count = len(self.code)
        objects = range(model.OBJECTS)
        return State(
            threads=((BEGIN, 0, 0),) + ((UNBORN, 0, 0),) * (count - 1),
            mutexes=tuple(FREE for _ in objects),
            recursives=tuple(FREE for _ in objects),
            sleepers=tuple(() for _ in objects),
            variables=tuple(0 for _ in objects),
            onces=tuple(UNTOUCHED for _ in objects),
            statics=tuple(UNTOUCHED for _ in objects),
            posix=posix_objects.start(model.OBJECTS),
            results=tuple(
                (None,) * sum(1 for i in code if i.slot >= 0) for code in self.code
            ),
            printed=None,
        )

    def pending(self, state, thread):
        """The instruction that the thread is at; None at its end or the exit."""
        pc = state.threads[thread][1]
        return self.code[thread][pc] if pc < len(self.code[thread]) else None

    def options(self, state):
        """All steps that can be taken. None: the execution is stuck."""
        found = []
        for thread in range(len(self.code)):
            count, late = self._enabled(state, thread)
            found += [Option(thread, outcome, late) for outcome in range(count)]
        return found

    def _enabled(self, state, thread):
        """How many outcomes the thread's pending operation has now (0: it is blocked), and if
        late."""
        where = state.threads[thread][0]
        if where in (UNBORN, ENDED):
            return 0, False
        if where == BEGIN:
            return 1, False
        instruction = self.pending(state, thread)
        if instruction is None:
            return 1, False
        kind, arguments = instruction.kind, instruction.arguments
        if where == SLEEPING:
            return (1, True) if kind == "timedwait" else (0, False)
        if where in (RELOCK, RELOCK_LATE):
            return int(state.mutexes[arguments[1]] == FREE), False
        found = posix_objects.enabled(state.posix, where, kind, arguments)
        if found is not None:
            return found
        match kind:
            case "join":
                return int(state.threads[arguments[0]][0] == ENDED), False
            case "timedjoin":
                return 1, state.threads[arguments[0]][0] != ENDED
            case "lock":
                return int(state.mutexes[arguments[0]] == FREE), False
            case "rlock":
                return int(state.recursives[arguments[0]] == FREE), False
            case "timedlock":
                return 1, state.mutexes[arguments[0]] != FREE
            case "rtimedlock":
                return 1, state.recursives[arguments[0]] != FREE
            case "once":
                return int(state.onces[arguments[0]] < 0), False
            case "static_enter":
                return int(state.statics[arguments[0]] < 0), False
            case "signal":
                return max(1, len(state.sleepers[arguments[0]])), False
            case "choose":
                return arguments[0], False
            case "yield" | "sleep":
                return 1, True
        return 1, False

    def step(self, state, thread, outcome):
        """The state after the step, or the Ending that it leads to."""
        return _Step(self, state, thread).take(outcome)

    def yield_of(self, state, thread, after):
        """What the step of the thread that led to the State `after` was: see fair.py."""
        where, instruction = state.threads[thread][0], self.pending(state, thread)
        if where == BEGIN or instruction is None:
            return NONE
        kind, arguments = instruction.kind, instruction.arguments
        if kind in TRIES:
            return IN_VAIN if after.results[thread][instruction.slot] == 0 else NONE
        if kind in ("yield", "sleep"):
            return YIELD
        if kind in ("timedwait", "ftimedwait"):
            return NONE if where in (AT, RELOCK_LATE) else YIELD
        if kind == "timedwr" and arguments[0] in posix_objects.PREFERS_WRITERS:
            return NONE if where == AT else YIELD  # coming is no waiting yet
        return YIELD if kind in TIMED else NONE

    def deadlock(self):
        return Ending("deadlock", None)


class _Step(posix_objects.Operations):
    """One step in the making: the parts of the state as lists."""

    def __init__(self, machine, state, thread):
        self.machine = machine
        self.me = thread
        self.threads = list(state.threads)
        self.mutexes = list(state.mutexes)
        self.recursives = list(state.recursives)
        self.sleepers = list(state.sleepers)
        self.variables = list(state.variables)
        self.onces = list(state.onces)
        self.statics = list(state.statics)
        self.posix = state.posix
        self.results = list(state.results)
        self.printed = state.printed
        self.where, self.pc, self.last = state.threads[thread]
        self.code = machine.code[thread]

    def take(self, outcome):
        if self.where == BEGIN:
            self.where = AT
        elif self.where == AT_EXIT:
            return Ending("finished", self.printed)
        elif self.pc == len(self.code):
            self.where = AT_EXIT if is_last(self.threads, self.me) else ENDED
            return self.freeze()
        elif self.where == SLEEPING:
            self.time_out()
            return self.freeze()
        else:
            instruction = self.code[self.pc]
            self.pc += 1
            if instruction.kind == "exit":
                return Ending("finished", None)
            if self.where in (RELOCK, RELOCK_LATE):
                self.mutexes[instruction.arguments[1]] = (self.me, 0)
                if instruction.kind == "timedwait":
                    self.result(instruction, int(self.where == RELOCK))
                self.where = AT
            else:
                prefix = "do_" if self.where == AT else "resume_"
                self.where = AT
                do = getattr(self, prefix + instruction.kind)
                do(instruction, outcome, *instruction.arguments)
        if self.where == AT and (unmet := self.run_on()):
            return Ending(unmet, self.printed)
        return self.freeze()

    def freeze(self):
        self.threads[self.me] = (self.where, self.pc, self.last)
        return State(
            tuple(self.threads),
            tuple(self.mutexes),
            tuple(self.recursives),
            tuple(self.sleepers),
            tuple(self.variables),
            tuple(self.onces),
            tuple(self.statics),
            self.posix,
            tuple(self.results),
            self.printed,
        )

    def result(self, instruction, value):
        if instruction.slot < 0:  # the update inside a static, locks that cannot fail
            return
        self.last = value
        mine = list(self.results[self.me])
        mine[instruction.slot] = value
        self.results[self.me] = tuple(mine)

    def run_on(self):
        """From after an operation to before the next one. What it returns ends the execution."""
        while self.pc < len(self.code):
            instruction = self.code[self.pc]
            kind, arguments = instruction.kind, instruction.arguments
            if kind == "jump":
                self.pc = instruction.target
                continue
            if kind == "unless":
                self.pc = self.pc + 1 if self.last == arguments[0] else instruction.target
                continue
            if kind in UNMET:
                if self.last != arguments[0]:
                    return UNMET[kind]
            elif kind == "lock" and self.mutexes[arguments[0]][0] == self.me:
                return "misuse"
            elif kind == "trylock" and self.mutexes[arguments[0]][0] == self.me:
                self.result(instruction, 0)
            elif (
                kind in ("rlock", "rtrylock", "rtimedlock")
                and self.recursives[arguments[0]][0] == self.me
            ):
                self.nest(arguments[0], 1)
                self.result(instruction, 1)
            elif kind == "runlock" and self.recursives[arguments[0]][1] > 0:
                self.nest(arguments[0], -1)
            elif kind == "choose" and arguments[0] <= 1:
                self.result(instruction, 0)
            elif (ending := self.without_step(instruction)) is None:
                return None
            elif ending:
                return ending
            self.pc += 1
        if self.me == 0 and not self.machine.program.main_leaves:
            self.printed = self.final_values()
            self.where = AT_EXIT
        return None

    def nest(self, mutex, by):
        holder, depth = self.recursives[mutex]
        self.recursives[mutex] = (holder, depth + by)

    def final_values(self):
        words = list(map(str, self.variables))
        for mine in self.results:
            words += ["|", *("-" if r is None else str(r) for r in mine)]
        return " ".join(words)

    # Sleeping and waking.

    def sleep_on(self, condition, mutex):
        self.mutexes[mutex] = FREE
        self.sleepers[condition] += (self.me,)
        self.where = SLEEPING
        self.pc -= 1  # it stays at its wait

    def time_out(self):
        condition = self.code[self.pc].arguments[0]
        self.sleepers[condition] = tuple(t for t in self.sleepers[condition] if t != self.me)
        self.where = RELOCK_LATE

    def wake(self, condition, sleeper):
        self.sleepers[condition] = tuple(t for t in self.sleepers[condition] if t != sleeper)
        _, pc, last = self.threads[sleeper]
        self.threads[sleeper] = (RELOCK, pc, last)

    # The operations: (instruction, outcome, arguments).

    def do_create(self, _, __, child):
        assert self.threads[child][0] == UNBORN
        self.threads[child] = (BEGIN, 0, 0)

    def do_join(self, *_):
        pass

    do_detach = do_fence = do_yield = do_sleep = do_join

    def do_tryjoin(self, instruction, _, child):
        self.result(instruction, int(self.threads[child][0] == ENDED))

    do_timedjoin = do_tryjoin

    def do_lock(self, _, __, mutex):
        assert self.mutexes[mutex] == FREE
        self.mutexes[mutex] = (self.me, 0)

    def do_unlock(self, _, __, mutex):
        assert self.mutexes[mutex][0] == self.me
        self.mutexes[mutex] = FREE

    def do_trylock(self, instruction, _, mutex):
        free = self.mutexes[mutex] == FREE
        if free:
            self.mutexes[mutex] = (self.me, 0)
        self.result(instruction, int(free))

    do_timedlock = do_trylock

    def do_rlock(self, _, __, mutex):
        assert self.recursives[mutex] == FREE
        self.recursives[mutex] = (self.me, 0)

    def do_runlock(self, _, __, mutex):
        assert self.recursives[mutex] == (self.me, 0)
        self.recursives[mutex] = FREE

    def do_rtrylock(self, instruction, _, mutex):
        free = self.recursives[mutex] == FREE
        if free:
            self.recursives[mutex] = (self.me, 0)
        self.result(instruction, int(free))

    do_rtimedlock = do_rtrylock

    def do_wait(self, _, __, condition, mutex):
        assert self.mutexes[mutex][0] == self.me
        self.sleep_on(condition, mutex)

    do_timedwait = do_wait

    def do_signal(self, _, outcome, condition):
        if self.sleepers[condition]:
            self.wake(condition, self.sleepers[condition][outcome])

    def do_broadcast(self, _, __, condition):
        for sleeper in self.sleepers[condition]:
            self.wake(condition, sleeper)

    def do_load(self, instruction, _, variable):
        self.result(instruction, self.variables[variable])

    def do_store(self, _, __, variable, value):
        self.variables[variable] = value

    def do_add(self, instruction, _, variable, value):
        self.result(instruction, self.variables[variable])
        self.variables[variable] += value

    def do_exchange(self, instruction, _, variable, value):
        self.result(instruction, self.variables[variable])
        self.variables[variable] = value

    def do_cas(self, instruction, _, variable, expected, desired):
        done = self.variables[variable] == expected
        if done:
            self.variables[variable] = desired
        self.result(instruction, int(done))

    def do_choose(self, instruction, outcome, _):
        self.result(instruction, outcome)

    def do_once(self, instruction, _, once):
        if self.onces[once] == DONE:
            self.pc = instruction.target
        else:
            self.onces[once] = self.me

    def do_once_done(self, _, __, once):
        self.onces[once] = DONE

    def do_static_look(self, instruction, _, static):
        if self.statics[static] == DONE:
            self.pc = instruction.target

    def do_static_enter(self, instruction, _, static):
        if self.statics[static] == DONE:
            self.pc = instruction.target
        else:
            self.statics[static] = self.me

    def do_static_done(self, _, __, static):
        self.statics[static] = DONE

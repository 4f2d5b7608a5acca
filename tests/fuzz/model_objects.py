"""What the model knows of latches, barriers, semaphores, conditions, files, pipes and the environment: of each
operation when it can go, and what it does. An object is a value in the state's `locks`, by kind and number."""


class Unknown(Exception):
    """The model cannot tell: there are too many states, or the standard leaves open what happens."""


# Made by an operation that is no step.
MAKERS = {
    "latch": lambda count: count,
    "barrier": lambda count: (count, 0, 0, 0),  # expected; of this phase: arrived, dropped; phase
    "pbarrier": lambda count: (count, 0, 0, 0),
    "csem": lambda count: count,
    "pipe": lambda: (True, ()),  # whether the writer's end is open; what is in it
    "file": lambda: (),  # its bytes
}
# Operations that are two steps: the first, and the one that waits for others.
TWO_STEPS = {"arrive": "passed", "pbarrierwait": "ppassed", "wait": "woken"}
COVERED = {
    *MAKERS, *TWO_STEPS, "countdown", "latchwait", "latchtry", "arrivedrop", "acquire", "release", "tryacquire",
    "signal", "broadcast", "write", "read", "poll", "hangup", "fput", "fget", "setenv", "getenv",
}  # fmt: skip


def make(locks, name, arguments):
    """At the place where it is made nobody else is there yet."""
    number, *given = arguments if name != "file" else (0,)
    locks[name, number] = MAKERS[name](*given)


def made(locks, kind, number):
    if (kind, number) not in locks:
        raise Unknown
    return locks[kind, number]


def can_go(locks, thread, name, arguments):
    number = arguments[0] if arguments else 0
    if name == "latchwait":
        return made(locks, "latch", number) == 0
    if name == "acquire":
        return made(locks, "csem", number) > 0
    if name in ("passed", "ppassed"):
        kind = "barrier" if name == "passed" else "pbarrier"
        return locks[kind, number][3] != locks["phase", thread][0]
    if name == "woken":
        return thread not in locks.get(("asleep", number), ()) and locks.get(("lock", arguments[1])) is None
    if name == "read":
        is_open, inside = made(locks, "pipe", number)
        return not is_open or len(inside) > 0
    return True


def ways(locks, name, arguments):
    """In how many ways it can go: who wakes by a signal is open."""
    return max(1, len(locks.get(("asleep", arguments[0]), ()))) if name == "signal" else 1


def perform(locks, thread, name, arguments, outcome):
    """Its value; None: it has none."""
    number = arguments[0] if arguments else 0
    if name in ("countdown", "latchtry", "latchwait"):
        return count_down(locks, name, number)
    if name in ("arrive", "arrivedrop", "pbarrierwait", "passed", "ppassed"):
        return meet(locks, thread, name, number)
    if name in ("acquire", "release", "tryacquire"):
        count = made(locks, "csem", number)
        locks["csem", number] = count + 1 if name == "release" else max(0, count - 1)
        return int(count > 0) if name == "tryacquire" else None
    if name in ("wait", "woken", "signal", "broadcast"):
        return wait_or_wake(locks, thread, name, arguments, outcome)
    if name in ("write", "read", "poll", "hangup"):
        return pipe(locks, name, number, arguments)
    if name in ("setenv", "getenv"):
        if name == "getenv":
            return locks.get(("env", number), -1)
        locks["env", number] = arguments[1] & 3
        return None
    return in_file(locks, name, *arguments)


def count_down(locks, name, number):
    count = made(locks, "latch", number)
    if name == "countdown":
        locks["latch", number] = count - 1
    return int(count == 0) if name == "latchtry" else None


def meet(locks, thread, name, number):
    """At a barrier. Of pthread_barrier_wait the last one to come is told that it was."""
    if name in ("passed", "ppassed"):
        return 1 if locks.pop(("phase", thread))[1] else (0 if name == "ppassed" else None)
    kind = "pbarrier" if name == "pbarrierwait" else "barrier"
    expected, arrived, dropped, phase = made(locks, kind, number)
    if expected <= 0:
        raise Unknown  # more have left than were there
    arrived += 1
    dropped += name == "arrivedrop"
    is_last = arrived == expected
    if name != "arrivedrop":
        locks["phase", thread] = (phase, is_last and name == "pbarrierwait")
    locks[kind, number] = (expected - dropped, 0, 0, phase + 1) if is_last else (expected, arrived, dropped, phase)
    return None


def wait_or_wake(locks, thread, name, arguments, outcome):
    number = arguments[0]
    asleep = locks.get(("asleep", number), ())
    if name == "wait":
        if locks.get(("lock", arguments[1])) != thread:
            raise Unknown
        locks["lock", arguments[1]] = None
        locks["asleep", number] = tuple(sorted((*asleep, thread)))
    elif name == "woken":
        locks["lock", arguments[1]] = thread
    elif name == "broadcast":
        locks["asleep", number] = ()
    elif asleep:
        locks["asleep", number] = (*asleep[:outcome], *asleep[outcome + 1 :])


def pipe(locks, name, number, arguments):
    is_open, inside = made(locks, "pipe", number)
    if name == "poll":
        return int(len(inside) > 0)
    value = None
    if name == "hangup":
        is_open = False
    elif name == "write":
        inside = (*inside, arguments[1]) if is_open else inside
    else:
        value, inside = (inside[0], inside[1:]) if inside else (-1, ())
    locks["pipe", number] = (is_open, inside)
    return value


def in_file(locks, name, offset, *given):
    data = made(locks, "file", 0)
    if name == "fget":
        return data[offset] if offset < len(data) else -1
    data = data + (0,) * (offset + 1 - len(data))
    locks["file", 0] = (*data[:offset], given[0], *data[offset + 1 :])
    return None

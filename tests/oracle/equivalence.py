"""How many of the executions are different: classes of Mazurkiewicz's equivalence.

Two steps commute if they are of different threads and have no object in common, except that both
only read it. Executions that differ in the order of commuting steps are equivalent. The Foata
normal form is the same for equivalent executions and no others: each step stands on the first level
above all earlier steps that it does not commute with.

Prefixes are compared rather than whole executions: equivalent ones lead to the same state (which is
checked here: it is what makes the relation a sound one) and so to the same continuations.
"""

import posix_objects
from enumerator import open_steps
from fair import plain
from machine import AT, AT_EXIT, BEGIN, RELOCK, RELOCK_LATE, SLEEPING, Machine, is_last


class UnsoundRelation(Exception):
    pass


def touched(machine: Machine, state, thread, outcome):
    """The step's name, the threads that take part, the objects as (object, if it changes it)."""
    state = plain(state)
    where = state.threads[thread][0]
    if where == BEGIN:
        return "begin", (thread,), ()
    instruction = machine.pending(state, thread)
    if instruction is None:
        if where == AT_EXIT:
            return "exit", (thread,), ()
        # Ends commute, but for which thread is the last and makes the exit.
        name = "last end" if is_last(state.threads, thread) else "end"
        return name, (thread,), ((("thread", thread), True),)
    kind, arguments = instruction.kind, instruction.arguments
    number = arguments[0] if arguments else None
    if where == SLEEPING:
        return "time out", (thread,), ((("condition", number), True),)
    if where in (RELOCK, RELOCK_LATE):
        return "relock", (thread,), ((("mutex", arguments[1]), True),)
    found = posix_objects.touched(state.posix, where, kind, arguments, outcome)
    if found is not None:
        name, woken, touched_object, changes = found
        return name, (thread, *woken), ((touched_object, changes),)
    assert where == AT
    match kind:
        case "exit":
            return kind, (thread,), ()
        case "create":
            return kind, (thread, number), ((("thread", number), True),)
        case "join" | "detach" | "tryjoin" | "timedjoin":
            return kind, (thread,), ((("thread", number), True),)
        case "lock" | "unlock" | "trylock" | "timedlock":
            return kind, (thread,), ((("mutex", number), True),)
        case "rlock" | "runlock" | "rtrylock" | "rtimedlock":
            return kind, (thread,), ((("recursive", number), True),)
        case "wait" | "timedwait":
            objects = ((("condition", number), True), (("mutex", arguments[1]), True))
            return kind, (thread,), objects
        case "signal":
            woken = state.sleepers[number][outcome : outcome + 1]
            return kind, (thread, *woken), ((("condition", number), True),)
        case "broadcast":
            return kind, (thread, *state.sleepers[number]), ((("condition", number), True),)
        case "load":
            return kind, (thread,), ((("variable", number), False),)
        case "cas":
            succeeds = state.variables[number] == arguments[1]
            return kind, (thread,), ((("variable", number), succeeds),)
        case "store" | "add" | "exchange":
            return kind, (thread,), ((("variable", number), True),)
        case "once" | "once_done":
            return kind, (thread,), ((("once", number), True),)
        case "static_look":
            return kind, (thread,), ((("static", number), False),)
        case "static_enter" | "static_done":
            return kind, (thread,), ((("static", number), True),)
        case "choose":
            return f"choose {outcome}", (thread,), ()
        case "fence" | "yield" | "sleep":
            return kind, (thread,), ()
    raise AssertionError(kind)


def place(levels, name, threads, objects):
    """The step on its level, and the levels after it: the last one of each thread, and of each
    object the last that changed it and the last that read it."""
    level = 1 + max(
        [levels.get(t, 0) for t in threads]
        + [levels.get((o, True), 0) for o, _ in objects]
        + [levels.get((o, False), 0) for o, changes in objects if changes],
    )
    after = dict(levels)
    after.update((t, level) for t in threads)
    for o, changes in objects:
        after[(o, changes)] = max(level, after.get((o, changes), 0))
    return (level, name, threads, objects), after


def classes(machine, bound):
    """The number of classes among the executions with that bound, the pruned left out."""
    # Prefix and running thread: the most preemptions that are left (None: any), the state, the
    # levels. Without a bound it makes no difference which thread is the running one.
    front = {(frozenset(), 0, None): (bound, machine.start(), {})}
    ended = set()
    while front:
        following = {}
        for (form, running, _), (preemptions, state, levels) in front.items():
            options = machine.options(state)
            if not options:
                ended.add(form)
            for option, left in open_steps(options, running, preemptions):
                thread, outcome, _ = option
                step, levels_after = place(levels, *touched(machine, state, thread, outcome))
                longer = form | {step}
                after = machine.step(state, thread, outcome)
                if hasattr(after, "kind"):
                    if after.kind != "pruned":
                        ended.add(longer)
                    continue
                # What the fair scheduler remembers of equivalent prefixes can differ.
                key = (longer, 0 if bound is None else thread, getattr(after, "memory", None))
                old = following.get(key)
                if old is not None and not same(old[1], after):
                    raise UnsoundRelation(f"{machine.program}\n{sorted(longer)}\n{old[1]}\n{after}")
                if old is None or (bound is not None and old[0] < left):
                    following[key] = (left, after, levels_after)
        front = following
    return len(ended)


def same(one, other):
    """Without what main has printed: it looks at the variables without an operation."""
    return plain(one)._replace(printed=None) == plain(other)._replace(printed=None)

"""How many executions a complete depth-first search makes, and how they end.

An execution is a maximal sequence of steps; two that differ in one decision are two executions. The
search with a bound of N makes those with at most N preemptions: steps of another thread than the
running one while that is enabled and not late. What is left to choose in a state depends only on
the state, the running thread and the preemptions that are still allowed, so that the numbers add up
from the ends; listing() does the same the long way, one execution after the other, to check that.
"""

import sys
from collections import Counter

sys.setrecursionlimit(10_000)


def open_steps(options, running, preemptions):
    """The options that the bound allows (None: all), with the preemptions left after each."""
    goes_on = any(o.thread == running and not o.late for o in options)
    for option in options:
        if preemptions is None or not goes_on or option.thread == running:
            yield option, preemptions
        elif preemptions > 0:
            yield option, preemptions - 1


def added_up(machine, bound, of_ending, of_step):
    """A Counter for all executions, added up from their ends: of_ending(Ending) for each,
    of_step(below) for each step before it."""
    known = {}

    def below(state, running, preemptions):
        key = state if preemptions is None else (state, running, preemptions)
        if key in known:
            return known[key]
        options = machine.options(state)
        found = Counter() if options else Counter(of_ending(machine.deadlock()))
        for option, left in open_steps(options, running, preemptions):
            after = machine.step(state, option.thread, option.outcome)
            if hasattr(after, "kind"):
                found.update(of_step(of_ending(after)))
            else:
                found.update(of_step(below(after, option.thread, left)))
        known[key] = found
        return found

    return below(machine.start(), 0, bound)


def histogram(machine, bound):
    """Each Ending with the number of executions that end in it."""
    return added_up(machine, bound, lambda ending: {ending: 1}, lambda below: below)


def steps(machine, bound):
    """The steps of all executions together, and of the longest."""
    lengths = added_up(
        machine,
        bound,
        lambda _: {0: 1},
        lambda below: {length + 1: count for length, count in below.items()},
    )
    return sum(length * count for length, count in lengths.items()), max(lengths)


def listing(machine, bound):
    """All executions, one by one: (steps, Ending)."""

    def below(state, running, preemptions, steps):
        options = machine.options(state)
        if not options:
            yield steps, machine.deadlock()
        for option, left in open_steps(options, running, preemptions):
            after = machine.step(state, option.thread, option.outcome)
            longer = steps + (option[:2],)
            if hasattr(after, "kind"):
                yield longer, after
            else:
                yield from below(after, option.thread, left, longer)

    return below(machine.start(), 0, bound, ())

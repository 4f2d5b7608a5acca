"""All outcomes of a few threads whose steps are atomic, by brute force.

A model thread is a generator. It yields a step: when it may be taken, and what it does, one effect
or several of which one happens; it gets back what the effect returns. Every interleaving and every
choice among effects is run from the beginning. The outcome of a run is the list of its results, or
the word deadlock.
"""


NOTHING = (lambda: None,)


class Step:
    def __init__(self, options):
        self.options = options  # a function: the effects that are open now; none: it is blocked


def when(permitted, *effects):
    """A step that may be taken when permitted() holds."""
    return Step(lambda: (effects or NOTHING) if permitted() else ())


def always(*effects):
    return when(lambda: True, *effects)


def any_of(effects):
    """A step that can always be taken; effects() are those that are open when it is."""
    return Step(lambda: effects() or NOTHING)


def outcomes(program):
    """`program` makes a fresh world: its list of results, and its threads."""
    found, open_prefixes = set(), [()]
    while open_prefixes:
        prefix = open_prefixes.pop()
        outcome, choices, counts = _run(program, prefix)
        found.add(outcome)
        for i in range(len(prefix), len(counts)):
            open_prefixes += [choices[:i] + (c,) for c in range(1, counts[i])]
    return found


def _run(program, prefix):
    """Follows the prefix, then takes the first option each time."""
    results, *threads = program()
    pending = [_advance(thread, None) for thread in threads]
    choices, counts = [], []
    while any(step is not None for step in pending):
        options = [
            (t, effect)
            for t, step in enumerate(pending)
            if step is not None
            for effect in step.options()
        ]
        if not options:
            return "deadlock", tuple(choices), counts
        choice = prefix[len(choices)] if len(choices) < len(prefix) else 0
        choices.append(choice)
        counts.append(len(options))
        t, effect = options[choice]
        pending[t] = _advance(threads[t], effect())
    text = " ".join("-" if r is None else str(int(r)) for r in results)
    return text, tuple(choices), counts


def _advance(thread, value):
    """The thread's next step; None: it has ended."""
    try:
        return thread.send(value)
    except StopIteration:
        return None

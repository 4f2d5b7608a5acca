"""Families of programs in which whether they race depends on the memory orders alone: each member has
other orders. A sender writes memory and then a variable; who sees its value touches the memory."""

import itertools

from race_generate import FAILURE, START, STOP, UPDATE
from race_model import MIXED, Operation, Program

PUT, GET = Operation("put", (0, 4)), Operation("get", (0, 4))


def fence(order):
    return (Operation("fence", (order,)),) if order else ()


def two(sender, receiver):
    return ((START[0], *receiver, STOP[0]), sender)


def three(sender, between, receiver):
    return ((*START, *receiver, *STOP), sender, between)


def load_then(order, value, *then, variable=0):
    return Operation("load", (variable, order)), Operation("if", (value,), then)


def fences():
    """A fence, or none, on each side."""
    some = (None, "acquire", "release", "seq_cst")
    for before, store, load, after in itertools.product(
        some, ("relaxed", "release"), ("relaxed", "acquire"), some
    ):
        sender = (PUT, *fence(before), Operation("store", (0, 1, store)))
        yield two(sender, load_then(load, 1, *fence(after), GET))


def misplaced_fences():
    """After the store, before the load."""
    for before, after in itertools.product(("acquire", "release", "seq_cst"), repeat=2):
        sender = (PUT, Operation("store", (0, 1, "relaxed")), *fence(before))
        yield two(sender, (*fence(after), *load_then("relaxed", 1, GET)))


def continuations():
    """What may continue a release sequence, or end it: made by the sender itself, or by another."""
    updates = [Operation("add", (0, order)) for order in UPDATE]
    updates += [Operation("exchange", (0, 2, order)) for order in ("relaxed", "release")]
    updates += [Operation("cas", (0, 1, 2, order, "relaxed")) for order in ("relaxed", "release")]
    updates += [Operation("store", (0, 2, order)) for order in ("relaxed", "release")]
    for store, update, load in itertools.product(
        ("relaxed", "release"), updates, ("relaxed", "acquire", "consume")
    ):
        sender = (PUT, Operation("store", (0, 1, store)))
        receiver = load_then(load, 2, GET)
        yield two((*sender, update), receiver)
        if update.kind == "add":
            yield three(sender, (update,), receiver)
        else:  # another may write 2 only after it has seen 1
            yield three(sender, load_then("relaxed", 1, update), receiver)


def fenced_updates():
    """A fence before a relaxed update, by the sender or by one who only passes on."""
    for before, update, load in itertools.product(
        (None, "release"), ("add", "exchange"), ("relaxed", "acquire")
    ):
        arguments = (0, "relaxed") if update == "add" else (0, 1, "relaxed")
        sender = (PUT, *fence(before), Operation(update, arguments))
        yield two(sender, load_then(load, 1, GET))
        between = load_then("acquire", 1, *fence(before), Operation("store", (1, 1, "relaxed")))
        yield three(
            (PUT, Operation("store", (0, 1, "release"))),
            between,
            load_then(load, 1, GET, variable=1),
        )


def failures():
    """The receiver's compare-exchange fails, or does not."""
    for order, expected in itertools.product(UPDATE, (1, 3)):
        for failure in FAILURE[order]:
            look = Operation("cas", (0, expected, 4, order, failure))
            # last: 1 done, which it is only after the sender; 0 failed, which it may be before.
            then = Operation("if", (int(expected == 1),), (GET,))
            seen = load_then("relaxed", 1, look, then)
            yield two((PUT, Operation("store", (0, 1, "release"))), seen)


def mixtures():
    """Plain and atomic accesses to the same memory, behind a message."""
    touches = [PUT, GET, Operation("put", (1, 1)), Operation("put", (4, 1))]
    touches += [Operation("load", (MIXED, "relaxed")), Operation("store", (MIXED, 0, "relaxed"))]
    for first, second, third, store in itertools.product(
        touches, touches[:1] + touches[4:], touches, ("relaxed", "release")
    ):
        sender = (first, second, Operation("store", (0, 1, store)))
        yield two(sender, load_then("acquire", 1, third))


def locks():
    """Each side holds a lock of some kind; the message itself gives no order."""
    kinds = [("lock", "unlock"), ("wlock", "wunlock"), ("rlock", "runlock")]
    for first, second, touch, received in itertools.product(kinds, kinds, (PUT, GET), (PUT, GET)):
        sender = (Operation(first[0], (0,)), touch, Operation(first[1], (0,)))
        inside = (Operation(second[0], (0,)), received, Operation(second[1], (0,)))
        message = Operation("store", (0, 1, "relaxed"))
        yield two((*sender, message), load_then("relaxed", 1, *inside))


def permits():
    """A semaphore gives an order to who gets the permit; a once flag to who comes by it."""
    for got in (0, 1):
        take = (Operation("trywait", (0,)), Operation("if", (got,), (GET,)))
        yield two((PUT, Operation("post", (0,))), take)
    once = Operation("once", (0,), (PUT,))
    message = Operation("store", (0, 1, "relaxed"))
    for then in ((once, GET), (GET,)):
        yield two((once, message), load_then("relaxed", 1, *then))


def programs():
    families = (
        fences, misplaced_fences, continuations, fenced_updates, failures, mixtures, locks, permits,
    )  # fmt: skip
    return [
        Program(f"{family.__name__} {number}", threads)
        for family in families
        for number, threads in enumerate(family())
    ]

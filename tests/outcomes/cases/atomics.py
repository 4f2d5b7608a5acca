"""Models of the programs in atomics.h: atomics, shared pointers."""

import interleave
from case import case
from specifications import Variable


def write_and_read():
    x, y, r = Variable(), Variable(), [None] * 2

    def thread(slot, mine, other):
        yield from mine.store(1)
        r[slot] = yield from other.load()

    return r, thread(0, x, y), thread(1, y, x)


for size in ("1_byte", "2_bytes", "8_bytes", "float"):
    case(f"atomic_{size}")(write_and_read)


@case()
def atomic_16_bytes():
    pair, r = Variable((0, 0)), [None] * 2

    def reads():
        r[0], r[1] = yield from pair.load()

    return r, pair.store((1, 1)), reads()


@case()
def atomic_ref_adds():
    x, r = Variable(), [None, None, 2]

    def adds(slot):
        r[slot] = yield from x.add(1)

    return r, adds(0), adds(1)


@case()
def flag_taken():
    flag, r = Variable(False), [None] * 2

    def takes(slot):
        r[slot] = yield from flag.exchange(True)

    return r, takes(0), takes(1)


@case()
def weak_pointer_locks():
    owners, r = Variable(1), [None] * 2

    def lock():
        if owners.value == 0:
            return False
        owners.value += 1
        return True

    def locks():
        got = yield interleave.always(lock)
        r[0] = 5 if got else 0
        if got:
            yield from owners.add(-1)
        r[1] = (yield from owners.load()) == 0

    return r, owners.add(-1), locks()


@case()
def last_owner_destroys():
    owners, r = Variable(2), [None]

    def resets(thread):
        if (yield from owners.add(-1)) == 1:
            r[0] = thread

    return r, resets(1), resets(2)


@case(bound=3, steps=80)
def atomic_pointer_exchanges():
    pointer, r = Variable(), [None] * 2

    def exchanges(slot, value):
        r[slot] = yield from pointer.exchange(value)

    return r, exchanges(0, 1), exchanges(1, 2)


# load() of libstdc++ 12 lets go of its lock by a relaxed store: a data race with the next store().
@case(bound=3, steps=80, options=("--races", "ignore"))
def atomic_pointer_loads():
    pointer, r = Variable(), [None]

    def loads():
        r[0] = yield from pointer.load()

    return r, pointer.store(1), loads()


def exchanges_weakly(weak):
    def model():
        x, r = Variable(), [None] * 2

        def exchanges():
            r[0] = yield from x.compare_exchange(0, 1, weak)
            r[1] = yield from x.load()

        return r, exchanges()

    return model


case("weak_exchange")(exchanges_weakly(weak=False))
case("weak_exchange", options=("--spurious",))(exchanges_weakly(weak=True))

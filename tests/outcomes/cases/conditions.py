"""Models of the programs in conditions.h."""

from case import case
from specifications import Condition, SharedMutex, StopState, Variable


def notifies(mutex, condition, x):
    yield from mutex.lock("notifies")
    yield from x.store(1)
    yield from mutex.unlock()
    yield from condition.notify_one()


def waits_once(spurious):
    def model():
        mutex, condition, x, r = SharedMutex(), Condition(spurious), Variable(), [None]

        def waits():
            yield from mutex.lock("waits")
            if (yield from x.load()) == 0:
                yield from condition.wait(mutex, "waits")
            r[0] = yield from x.load()
            yield from mutex.unlock()

        return r, notifies(mutex, condition, x), waits()

    return model


case("wait_once", native_runs=0)(waits_once(spurious=False))
case("wait_once", options=("--spurious",))(waits_once(spurious=True))


@case()
def wait_any():
    mutex, condition, x, r = SharedMutex(), Condition(), Variable(), [None]

    def waits():
        yield from mutex.lock("waits")  # for reading, but nobody else reads
        while (yield from x.load()) == 0:
            yield from condition.wait(mutex, "waits")
        r[0] = yield from x.load()
        yield from mutex.unlock()

    return r, notifies(mutex, condition, x), waits()


@case()
def wait_any_time_limit():
    mutex, condition, x, r = SharedMutex(), Condition(), Variable(), [None] * 2

    def waits():
        yield from mutex.lock("waits")
        while (yield from x.load()) == 0:
            if not (yield from condition.wait(mutex, "waits", timed=True)):
                break
        r[0] = (yield from x.load()) == 1
        r[1] = yield from x.load()
        yield from mutex.unlock()

    return r, notifies(mutex, condition, x), waits()


@case(native_runs=0)
def wait_any_lost():
    mutex, condition = SharedMutex(), Condition()

    def waits():
        yield from mutex.lock("waits")
        yield from condition.wait(mutex, "waits")
        yield from mutex.unlock()

    return [], condition.notify_all(), waits()


def waits_until_stopped(becomes_ready):
    def model():
        mutex, condition, x, stop, r = SharedMutex(), Condition(), Variable(), StopState(), [None]

        def stops():
            yield from stop.request_stop("stops")
            if becomes_ready:
                yield from notifies(mutex, condition, x)

        def waits():
            yield from mutex.lock("waits")
            while not (yield from stop.stop_requested()):
                if (yield from x.load()) == 1:
                    break
                yield from condition.wait(mutex, "waits", stopped=lambda: stop.requested)
            r[0] = yield from x.load()
            yield from mutex.unlock()

        return r, stops(), waits()

    return model


case("wait_until_stopped", bound=2, steps=80)(waits_until_stopped(becomes_ready=False))
case("wait_until_stopped_or_ready", bound=2, steps=80)(waits_until_stopped(becomes_ready=True))

"""Models of the programs in stop.h: stopping, thread-local objects."""

from case import case
from specifications import Latch, StopState, Variable


@case()
def stop_requested_twice():
    stop, r = StopState(), [None, None, True]

    def requests(slot):
        r[slot] = yield from stop.request_stop(slot)

    return r, requests(0), requests(1)


@case()
def stop_seen():
    stop, x, r = StopState(), Variable(), [None] * 2

    def requests():
        yield from x.store(1)
        yield from stop.request_stop(1)

    def looks():
        r[0] = yield from stop.stop_requested()
        r[1] = yield from x.load()

    return r, requests(), looks()


@case(bound=2, steps=80)
def who_calls_back():
    stop, r = StopState(), [0]

    def callback(thread):
        r[0] = thread
        yield from ()

    def registers():
        yield from stop.register(callback, 2)
        yield from stop.deregister(callback)

    return r, stop.request_stop(1), registers()


@case(bound=2, steps=80)
def callback_is_complete():
    stop, x, r = StopState(), Variable(), [None]

    def callback(_):
        yield from x.store(1)
        yield from x.store(2)

    def registers():
        yield from stop.register(callback, 2)
        yield from stop.deregister(callback)
        r[0] = yield from x.load()

    return r, stop.request_stop(1), registers()


@case(bound=2, steps=80)
def two_callbacks():
    stop, r = StopState(), [0, 0]

    def makes(slot):
        def callback(_):
            r[slot] = 1
            yield from ()

        return callback

    def registers():
        one, two = makes(0), makes(1)
        yield from stop.register(one, 2)
        yield from stop.register(two, 2)
        yield from stop.deregister(two)
        yield from stop.deregister(one)

    return r, stop.request_stop(1), registers()


@case()
def jthread_stops():
    stop, x, ended, r = StopState(), Variable(), Latch(1), [None] * 2

    def thread():
        r[0] = yield from stop.stop_requested()
        yield from x.store(1)
        yield from ended.count_down()

    def main():
        yield from stop.request_stop(0)
        yield from ended.wait()
        r[1] = yield from x.load()

    return r, thread(), main()


@case(bound=3)
def jthread_is_replaced():
    """The second one begins; then the first is stopped and joined; in the end the second is."""
    stops, x, r = [StopState(), StopState()], Variable(), [None] * 3
    begun, ended = Latch(1), Latch(1)

    def first():
        r[0] = yield from stops[0].stop_requested()
        yield from x.store(1)
        yield from ended.count_down()

    def second():
        yield from begun.wait()
        r[1] = yield from stops[1].stop_requested()
        r[2] = yield from x.load()

    def main():
        yield from begun.count_down()
        yield from stops[0].request_stop(0)
        yield from ended.wait()
        yield from stops[1].request_stop(0)

    return r, first(), second(), main()


@case()
def thread_local_destructor():
    destroyed, ended, r = Variable(), Latch(1), [None] * 2

    def thread():
        yield from destroyed.add(1)
        yield from ended.count_down()

    def main():
        r[0] = yield from destroyed.load()
        yield from ended.wait()
        r[1] = yield from destroyed.load()

    return r, thread(), main()

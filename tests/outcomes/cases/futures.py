"""Models of the programs in futures.h."""

from case import case
from specifications import Future, Variable


@case()
def future_value():
    future, x, r = Future(), Variable(), [None] * 2

    def keeps():
        yield from x.store(1)
        yield from future.set(7)

    def gets():
        r[0] = yield from future.get()
        r[1] = yield from x.load()

    return r, keeps(), gets()


@case()
def future_time_limit():
    future, r = Future(), [None] * 2

    def waits():
        r[0] = yield from future.is_ready()
        r[1] = yield from future.is_ready()

    return r, future.set(True), waits()


@case()
def future_exception():
    future, r = Future(), [None]

    def gets():
        r[0] = yield from future.get()

    return r, future.set(-1), gets()


@case(bound=3)
def promise_broken_or_kept():
    future, keep, r = Future(), Variable(), [None]

    def keeps():
        if (yield from keep.load()):
            yield from future.set(7)
        yield from future.abandon()

    def gets():
        content = yield from future.get()
        r[0] = -1 if content == Future.BROKEN else content

    return r, keep.store(1), keeps(), gets()


@case()
def promise_kept_twice():
    future, r = Future(), [None] * 3

    def keeps(value, slot):
        r[slot] = yield from future.set(value)
        r[2] = future.content

    return r, keeps(1, 0), keeps(2, 1)


@case(bound=3)
def shared_future_of_two():
    future, x, r = Future(), Variable(), [None] * 3

    def gets(slot):
        r[slot] = yield from future.get()
        if (yield from x.add(1)) == 0:
            r[2] = slot == 0

    return r, gets(0), gets(1), future.set(3)


@case()
def task_of_another_thread():
    future, r = Future(), [None] * 2

    def gets():
        r[0] = yield from future.is_ready()
        r[1] = yield from future.get()

    return r, future.set(5), gets()


# The value becomes ready in code of libstdc++'s own, which no hook sees: the detector takes it for
# a race.
@case(options=("--races", "ignore"))
def value_at_thread_exit():
    """The value is there when the thread has done everything else."""
    future, x, r = Future(), Variable(), [None] * 2

    def keeps():
        yield from x.store(1)
        yield from future.set(5)

    def gets():
        r[0] = yield from future.get()
        r[1] = yield from x.load()

    return r, keeps(), gets()


@case()
def async_beside():
    future, x, r = Future(), Variable(), [None] * 3

    def task():
        yield from future.set((yield from x.exchange(1)))

    def main():
        r[0] = yield from x.exchange(2)
        r[1] = yield from future.is_ready()
        r[2] = yield from future.get()

    return r, task(), main()


@case()
def async_joins():
    """The future's destructor waits for the task."""
    future, x, r = Future(), Variable(), [None]

    def task():
        yield from x.store(1)
        yield from future.set(0)

    def main():
        yield from future.get()
        r[0] = yield from x.load()

    return r, task(), main()


@case()
def async_deferred():
    x, r = Variable(), [True, None, None]

    def gets():
        r[1] = yield from x.load()
        r[2] = yield from x.load()

    return r, x.store(1), gets()

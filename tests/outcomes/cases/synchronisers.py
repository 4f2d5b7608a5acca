"""Models of the programs in synchronisers.h: latches, barriers, semaphores, atomic::wait."""

from case import case
from specifications import Barrier, Latch, Semaphore, Variable, Waitable


@case(bound=2)
def latch_wait():
    latch, x, y, r = Latch(2), Variable(), Variable(), [None] * 2

    def counts(variable):
        yield from variable.store(1)
        yield from latch.count_down()

    def waits():
        r[0] = yield from x.load()
        yield from latch.wait()
        r[1] = (yield from x.load()) + (yield from y.load())

    return r, counts(x), counts(y), waits()


@case()
def latch_try_wait():
    latch, x, r = Latch(1), Variable(), [None] * 2

    def counts():
        yield from x.store(1)
        yield from latch.count_down()

    def tries():
        r[0] = yield from latch.try_wait()
        r[1] = yield from x.load()

    return r, counts(), tries()


@case()
def latch_arrive_and_wait():
    latch, x, y, r = Latch(3), Variable(), Variable(), [None] * 2

    def arrives(slot, mine, other, by):
        yield from mine.store(1)
        yield from latch.arrive_and_wait(by)
        r[slot] = yield from other.load()

    return r, arrives(0, x, y, 1), arrives(1, y, x, 2)


@case(native_runs=0)
def latch_too_few():
    latch, r = Latch(3), [None]

    def waits():
        yield from latch.count_down()
        r[0] = yield from latch.try_wait()
        yield from latch.wait()

    return r, latch.count_down(), waits()


@case(bound=2)
def barrier_two_phases():
    barrier, x, y, r = Barrier(2), Variable(), Variable(), [None] * 4

    def one():
        yield from x.store(1)
        yield from barrier.arrive_and_wait()
        r[0] = yield from y.load()
        yield from barrier.arrive_and_wait()
        yield from x.store(2)

    def two():
        yield from y.store(1)
        yield from barrier.arrive_and_wait()
        r[1] = yield from x.load()
        yield from y.store(2)
        yield from barrier.arrive_and_wait()
        r[2] = yield from x.load()
        r[3] = y.value  # nobody writes it any more

    return r, one(), two()


@case(bound=3)
def barrier_completion():
    phases, r = Variable(), [None] * 4

    def completion(thread):
        phases.value += 1
        r[3] = thread

    barrier = Barrier(2, completion)

    def one():
        phase = yield from barrier.arrive(1)
        r[0] = yield from phases.load()
        yield from barrier.wait(phase)
        r[1] = yield from phases.load()

    def two():
        yield from barrier.arrive_and_wait(2)
        r[2] = yield from phases.load()

    return r, one(), two()


@case(bound=3)
def barrier_drop():
    phases, r = Variable(), [None] * 2
    barrier = Barrier(2, lambda thread: phases.set(phases.value + 1))

    def drops():
        yield from barrier.arrive_and_drop()
        r[0] = yield from phases.load()

    def stays():
        yield from barrier.arrive_and_wait()
        yield from barrier.arrive_and_wait()
        r[1] = yield from phases.load()

    return r, drops(), stays()


# acquire() of libstdc++ 12 looks at the counter, spins, and then sleeps if the counter is as it was
# at first, even if that was not 0 (GCC's bug 104928).
@case(native_runs=0, beyond=frozenset({"deadlock"}))
def semaphore_as_mutex():
    semaphore, x, r = Semaphore(1), Variable(), [None] * 2

    def increase(slot):
        yield from semaphore.acquire()
        r[slot] = yield from x.load()
        yield from x.store(r[slot] + 1)
        yield from semaphore.release()

    return r, increase(0), increase(1)


@case(bound=1)
def semaphore_two_at_once():
    semaphore, x, r = Semaphore(0), Variable(), [None]

    def acquires():
        yield from semaphore.acquire()
        yield from x.add(1)

    def releases():
        yield from semaphore.release(2)
        r[0] = yield from x.load()

    return r, acquires(), acquires(), releases()


@case()
def semaphore_attempts():
    semaphore, r = Semaphore(1), [None] * 2

    def attempt(slot):
        r[slot] = yield from semaphore.try_acquire()
        if r[slot]:
            yield from semaphore.release()

    return r, attempt(0), attempt(1)


@case(bound=3)
def semaphore_time_limit():
    semaphore, x, r = Semaphore(0), Variable(), [None] * 2

    def releases():
        yield from x.store(1)
        yield from semaphore.release()

    def tries():
        r[0] = yield from semaphore.try_acquire_for()
        r[1] = yield from x.load()

    return r, releases(), tries()


@case(native_runs=0)
def semaphore_too_few():
    semaphore, r = Semaphore(0), [None]

    def releases():
        yield from semaphore.release()
        r[0] = yield from semaphore.try_acquire()

    return r, semaphore.acquire(), releases()


def wait_for_value():
    x, r = Waitable(), [None]

    def changes():
        yield from x.store(1)
        yield from x.notify_one()

    def waits():
        yield from x.wait(0)
        r[0] = yield from x.load()

    return r, changes(), waits()


case()(wait_for_value)
case("wait_for_value_of_8_bytes")(wait_for_value)
case("flag_wait")(wait_for_value)


@case(native_runs=0)
def wait_for_value_that_goes_again():
    x, r = Waitable(), [None]

    def changes():
        yield from x.store(1)
        yield from x.notify_one()
        yield from x.store(0)

    def waits():
        yield from x.wait(0)
        r[0] = yield from x.load()

    return r, changes(), waits()


@case(bound=1, native_runs=0)
def notify_one_of_two():
    x = Waitable()

    def changes():
        yield from x.store(1)
        yield from x.notify_one()

    return [], x.wait(0), x.wait(0), changes()


@case(bound=1)
def notify_all():
    x = Waitable()

    def changes():
        yield from x.store(1)
        yield from x.notify_all()

    return [], x.wait(0), x.wait(0), changes()

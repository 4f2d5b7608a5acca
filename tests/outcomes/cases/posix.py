"""Models of the programs in posix.h: POSIX, Linux, C11."""

from case import case
from specifications import (
    Cancellation,
    Condition,
    Futex,
    RobustMutex,
    Semaphore,
    SharedMutex,
    Variable,
)

from .conditions import wait_any
from .stop import thread_local_destructor


@case()
def owner_dies():
    mutex, x, r = RobustMutex(), Variable(), [None] * 2

    def dies():
        yield from mutex.lock()
        yield from x.store(1)
        yield from mutex.die()

    def locks():
        r[0] = yield from mutex.lock()
        r[1] = yield from x.load()
        if r[0] == RobustMutex.OWNER_DIED:
            mutex.repair()
        yield from mutex.unlock()

    return r, dies(), locks()


@case()
def owner_dies_for_good():
    mutex, r = RobustMutex(), [None] * 2

    def dies():
        if (yield from mutex.lock()) != RobustMutex.LOST:
            yield from mutex.die()

    def locks():
        r[0] = yield from mutex.lock()
        yield from mutex.unlock()
        r[1] = yield from mutex.lock()
        if r[1] != RobustMutex.LOST:
            yield from mutex.unlock()

    return r, dies(), locks()


@case()
def cancelled_or_not():
    cancellation, x, r = Cancellation(), Variable(), [None] * 3

    def thread():
        yield from x.store(1)
        r[0] = r[2] = yield from cancellation.point()
        if not r[0]:
            yield from x.store(2)
        r[1] = x.value

    return r, thread(), cancellation.request()


@case()
def cancelled_while_it_waits():
    cancellation, semaphore, r = Cancellation(), Semaphore(0), [None] * 2

    def thread():
        r[0] = yield from cancellation.point_while_waiting(
            lambda: semaphore.count > 0, lambda: semaphore.change(-1)
        )
        r[1] = not r[0]

    def main():
        yield from semaphore.release()
        yield from cancellation.request()

    return r, thread(), main()


case("key_destructor")(thread_local_destructor)


@case()
def named_semaphore():
    exists, r = Variable(False), [None, None, 2]

    def opens(slot):
        r[slot] = not (yield from exists.exchange(True))

    return r, opens(0), opens(1)


case("c11_condition")(wait_any)


@case()
def c11_thread():
    mutex, x, r = SharedMutex(), Variable(), [None] * 3

    def thread():
        yield from mutex.lock(1)
        r[2] = yield from x.add(1)
        yield from mutex.unlock()

    def main():
        r[0] = yield from mutex.try_lock(0)
        if r[0]:
            r[1] = yield from x.add(1)
            yield from mutex.unlock()

    return r, thread(), main()


@case()
def futex_bits():
    x, r = Futex(), [None] * 3

    def sleeps(slot, bits):
        r[slot] = yield from x.wait(bits)

    def wakes():
        r[2] = yield from x.wake(2)

    return r, sleeps(0, 1), sleeps(1, 2), wakes()


@case()
def futex_requeue():
    x, y, r = Futex(), Futex(), [None] * 3

    def sleeps():
        r[0] = yield from x.wait()

    def wakes():
        r[1] = yield from x.requeue(y)
        r[2] = yield from y.wake()

    return r, sleeps(), wakes()


@case()
def select_as_sleep():
    x, r = Variable(), [0, None]

    def sleeps():
        r[1] = yield from x.load()

    return r, x.store(1), sleeps()


@case()
def notify_at_thread_exit():
    """The lock is let go when the thread has done everything else."""
    mutex, condition, x, y, r = SharedMutex(), Condition(), Variable(), Variable(), [None] * 2

    def thread():
        yield from mutex.lock("thread")
        yield from x.store(1)
        yield from y.store(1)
        yield from mutex.unlock()
        yield from condition.notify_all()

    def waits():
        yield from mutex.lock("waits")
        while (yield from x.load()) == 0:
            yield from condition.wait(mutex, "waits")
        r[0] = yield from x.load()
        r[1] = yield from y.load()
        yield from mutex.unlock()

    return r, thread(), waits()

"""Models of the programs in locks.h: locks, once, statics."""

from case import case
from specifications import Once, SharedMutex, Variable


@case()
def reader_and_writer():
    mutex, x, r = SharedMutex(), Variable(), [None] * 2

    def writes():
        yield from mutex.lock(1)
        yield from x.store(1)
        yield from x.store(2)
        yield from mutex.unlock()

    def reads():
        yield from mutex.lock_shared()
        r[0] = yield from x.load()
        r[1] = yield from x.load()
        yield from mutex.unlock_shared()

    return r, writes(), reads()


@case()
def readers_together():
    mutex, inside, r = SharedMutex(), Variable(), [None] * 2

    def reads(slot):
        yield from mutex.lock_shared()
        yield from inside.add(1)
        r[slot] = yield from inside.load()
        yield from inside.add(-1)
        yield from mutex.unlock_shared()

    return r, reads(0), reads(1)


@case()
def writer_tries():
    mutex, x, r = SharedMutex(), Variable(), [None] * 2

    def reads():
        yield from mutex.lock_shared()
        r[0] = yield from x.load()
        yield from mutex.unlock_shared()

    def tries():
        r[1] = yield from mutex.try_lock(2)
        if r[1]:
            yield from x.store(1)
            yield from mutex.unlock()

    return r, reads(), tries()


@case()
def reader_tries():
    mutex, x, r = SharedMutex(), Variable(), [None] * 2

    def writes():
        yield from mutex.lock(1)
        yield from x.store(1)
        yield from mutex.unlock()

    def tries():
        r[0] = yield from mutex.try_lock_shared()
        if r[0]:
            r[1] = yield from x.load()
            yield from mutex.unlock_shared()

    return r, writes(), tries()


@case()
def shared_time_limits():
    mutex, x, r = SharedMutex(), Variable(), [None] * 3

    def writes():
        r[0] = yield from mutex.try_lock_for(1)
        if r[0]:
            yield from x.store(1)
            yield from mutex.unlock()

    def reads():
        r[1] = yield from mutex.try_lock_shared_for()
        if r[1]:
            r[2] = yield from x.load()
            yield from mutex.unlock_shared()

    return r, writes(), reads()


@case()
def mutex_time_limit():
    mutex, x, r = SharedMutex(), Variable(), [None] * 2

    def locks():
        yield from mutex.lock(1)
        yield from x.store(1)
        yield from mutex.unlock()

    def tries():
        r[0] = yield from mutex.try_lock_for(2)
        if r[0]:
            r[1] = yield from x.load()
            yield from mutex.unlock()

    return r, locks(), tries()


@case()
def recursive_time_limit():
    mutex, x, r = SharedMutex(recursive=True), Variable(), [None] * 3

    def locks():
        yield from mutex.lock(1)
        r[0] = yield from mutex.try_lock_for(1)
        yield from x.store(1)
        if r[0]:
            yield from mutex.unlock()
        yield from x.store(2)
        yield from mutex.unlock()

    def tries():
        r[1] = yield from mutex.try_lock_for(2)
        if r[1]:
            r[2] = yield from x.load()
            yield from mutex.unlock()

    return r, locks(), tries()


@case(bound=3)
def scoped_locks_of_two():
    """lock() takes all of its mutexes, without a deadlock: as if they were one."""
    both, x, r = SharedMutex(), Variable(), [None] * 2

    def locks(thread):
        yield from both.lock(thread)
        r[thread] = yield from x.add(1)
        yield from both.unlock()

    return r, locks(0), locks(1)


@case()
def try_lock_of_two():
    a, b, r = SharedMutex(), SharedMutex(), [None]

    def locks():
        for mutex in (a, b):
            yield from mutex.lock(1)
            yield from mutex.unlock()

    def tries():
        if not (yield from a.try_lock(2)):
            r[0] = 0
        elif not (yield from b.try_lock(2)):
            yield from a.unlock()
            r[0] = 1
        else:
            r[0] = -1
            yield from a.unlock()
            yield from b.unlock()

    return r, locks(), tries()


@case()
def once_that_throws():
    once, calls, r = Once(), Variable(), [None] * 3

    def body():
        return (yield from calls.add(1)) == 0

    def call(slot):
        r[slot] = yield from once.call(body)
        r[2] = calls.value  # the last one to come here leaves the final number

    return r, call(0), call(1)


@case()
def once_is_complete():
    once, x, r = Once(), Variable(), [None] * 2

    def call(mine, slot):
        def body():
            yield from x.store(mine)
            return False

        yield from once.call(body)
        r[slot] = yield from x.load()

    return r, call(1, 0), call(2, 1)


@case(native_runs=1)
def static_that_throws():
    once, calls, made_by, r = Once(), Variable(), Variable(), [None] * 2

    def use(thread):
        def body():
            if (yield from calls.add(1)) == 0:
                return True
            yield from made_by.store(thread)
            return False

        threw = yield from once.call(body)
        r[thread - 1] = 0 if threw else (yield from made_by.load())

    return r, use(1), use(2)

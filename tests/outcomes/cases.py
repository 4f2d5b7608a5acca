"""The programs of this folder as models, under the same names: what each thread does, with the
primitives of specifications.py.

A model makes a fresh world: the list of its results, then its threads. case() says how heddle is to
search the program:

bound        on preemptions, where a search without one would take long
steps        cut executions after so many: libstdc++ spins there on a lock of its own, for which
             there is no last execution
options      of heddle run
native_runs  how often it is run natively; never if it may wait for ever
beyond       what libstdc++ 12 shows beyond the standard: a defect of its own, known to its
             authors, that heddle finds
"""

from dataclasses import dataclass

import interleave
from specifications import (
    Barrier, Cancellation, Condition, Future, Futex, Latch, Once, RobustMutex, Semaphore,
    SharedMutex, StopState, Stream, Variable, Waitable,
)  # fmt: skip

CASES = []


@dataclass
class Case:
    program: str
    model: object
    bound: int | None = None
    steps: int | None = None
    options: tuple = ()
    native_runs: int = 100  # in one process
    beyond: frozenset = frozenset()

    @property
    def name(self):
        return " ".join([self.program, *self.options])

    def outcomes(self):
        return interleave.outcomes(self.model)


def case(program=None, **how):
    def add(model):
        CASES.append(Case(program or model.__name__, model, **how))
        return model

    return add


# Latches, barriers, semaphores, atomic::wait.


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


# Locks, once, statics.


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


# Conditions.


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


# Futures.


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


# Stopping, thread-local objects.


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


# Atomics, shared pointers.


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


# POSIX, Linux, C11.


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


# Descriptors.


@case()
def pipe_of_two_writes():
    pipe, r = Stream(), [None, 2]

    def writes():
        yield from pipe.write("a")
        yield from pipe.write("b")

    def reads():
        r[0] = len((yield from pipe.read(2)))

    return r, writes(), reads()


@case()
def pipe_of_two_writers():
    pipe, r = Stream(), [None]

    def reads():
        (first,) = yield from pipe.read(1)
        (second,) = yield from pipe.read(1)
        r[0] = first * 10 + second

    return r, pipe.write(1), pipe.write(2), reads()


@case()
def eventfd_adds_up():
    event, r = Stream(), [None]

    def reads():
        r[0] = sum((yield from event.read(2)))

    return r, event.write(1), event.write(2), reads()


@case()
def poll_with_limit():
    pipe, r = Stream(), [None, 1]

    def polls():
        r[0] = yield from pipe.poll()

    return r, pipe.write("a"), polls()


@case()
def socket_pair_answers():
    to, back, r = Stream(), Stream(), [None] * 2

    def answers():
        (byte,) = yield from to.read(1)
        r[0] = 1
        yield from back.write(byte + 1)
        yield from back.close()

    def asks():
        yield from to.write(5)
        (byte,) = yield from back.read(1)
        r[1] = byte * 10 + len((yield from back.read(1)))

    return r, answers(), asks()

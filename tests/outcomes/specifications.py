"""The primitives of the standard library as its standard words them: a state, and atomic steps.

How libstdc++ makes them, from how many operations, is not known here. What the standard permits and
no implementation shows is left out: attempts that fail although they could succeed, and, except
where a case asks for them, waits that end for no reason.
"""

from interleave import Step, always, any_of, when


class Variable:
    def __init__(self, value=0):
        self.value = value

    def set(self, value):
        self.value = value

    def replace(self, value):
        old, self.value = self.value, value
        return old

    def store(self, value):
        yield always(lambda: self.set(value))

    def load(self):
        return (yield always(lambda: self.value))

    def exchange(self, value):
        return (yield always(lambda: self.replace(value)))

    def add(self, amount):
        return (yield always(lambda: self.replace(self.value + amount)))

    def compare_exchange(self, expected, desired, weak=False):
        def attempt():
            done = self.value == expected
            if done:
                self.value = desired
            return done

        return (yield always(attempt, lambda: False) if weak else always(attempt))


class Sleepers:
    """Who sleeps until somebody lets it go."""

    def __init__(self):
        self.asleep = []

    def fall_asleep(self):
        me = object()
        self.asleep.append(me)
        return me

    def woken(self, me):
        return when(lambda: me not in self.asleep)

    def wake_one(self):
        """Any one of those who sleep when the step is taken."""
        yield any_of(lambda: [lambda s=s: self.asleep.remove(s) for s in self.asleep])

    def wake_all(self):
        yield always(self.asleep.clear)


class Waitable(Variable):
    """atomic::wait looks at the value, and falls asleep with that look."""

    def __init__(self, value=0):
        super().__init__(value)
        self.sleepers = Sleepers()

    def wait(self, old):
        while True:
            me = yield always(
                lambda: self.sleepers.fall_asleep() if self.value == old else None
            )
            if me is None:
                return
            yield self.sleepers.woken(me)

    def notify_one(self):
        yield from self.sleepers.wake_one()

    def notify_all(self):
        yield from self.sleepers.wake_all()


class Latch:
    def __init__(self, expected):
        self.count = expected

    def decrease(self, by):
        self.count -= by

    def count_down(self, by=1):
        yield always(lambda: self.decrease(by))

    def try_wait(self):
        return (yield always(lambda: self.count == 0))

    def wait(self):
        yield when(lambda: self.count == 0)

    def arrive_and_wait(self, by=1):
        yield from self.count_down(by)
        yield from self.wait()


class Barrier:
    """The completion runs when the last one has arrived, on a thread that arrived in this phase;
    then all go on. Which thread is left open by the standard; with all known libraries it is the
    last one."""

    def __init__(self, expected, completion=lambda thread: None):
        self.expected = self.left = expected
        self.phase = 0
        self.completion = completion

    def arrival(self, drop):
        self.left -= 1
        if drop:
            self.expected -= 1
        return self.phase, self.left == 0

    def complete(self, thread):
        self.completion(thread)
        self.left = self.expected
        self.phase += 1

    def arrive(self, thread=0, drop=False):
        phase, last = yield always(lambda: self.arrival(drop))
        if last:
            yield always(lambda: self.complete(thread))
        return phase

    def wait(self, phase):
        yield when(lambda: self.phase != phase)

    def arrive_and_wait(self, thread=0):
        yield from self.wait((yield from self.arrive(thread)))

    def arrive_and_drop(self, thread=0):
        yield from self.arrive(thread, drop=True)


class Semaphore:
    def __init__(self, count):
        self.count = count

    def change(self, by):
        self.count += by
        return True

    def release(self, update=1):
        yield always(lambda: self.change(update))

    def acquire(self):
        yield when(lambda: self.count > 0, lambda: self.change(-1))

    def try_acquire(self):
        return (yield always(lambda: self.count > 0 and self.change(-1)))

    # The time may be over, or not, whenever there is nothing to take.
    try_acquire_for = try_acquire


class SharedMutex:
    """Also mutex, timed_mutex and, with `recursive`, the recursive ones."""

    def __init__(self, recursive=False):
        self.recursive = recursive
        self.writer = None
        self.depth = 0
        self.readers = 0

    def can_lock(self, thread):
        if self.recursive and self.writer == thread:
            return True
        return self.writer is None and self.readers == 0

    def take(self, thread):
        self.writer = thread
        self.depth += 1
        return True

    def release(self):
        self.depth -= 1
        if self.depth == 0:
            self.writer = None

    def count_reader(self, by):
        self.readers += by
        return True

    def lock(self, thread):
        yield when(lambda: self.can_lock(thread), lambda: self.take(thread))

    def try_lock(self, thread):
        return (yield always(lambda: self.can_lock(thread) and self.take(thread)))

    try_lock_for = try_lock

    def unlock(self):
        yield always(self.release)

    def lock_shared(self):
        yield when(lambda: self.writer is None, lambda: self.count_reader(1))

    def try_lock_shared(self):
        return (yield always(lambda: self.writer is None and self.count_reader(1)))

    try_lock_shared_for = try_lock_shared

    def unlock_shared(self):
        yield always(lambda: self.count_reader(-1))


class Condition:
    """condition_variable and condition_variable_any. `spurious`: a wait may end for no reason."""

    def __init__(self, spurious=False):
        self.sleepers = Sleepers()
        self.spurious = spurious

    def wait(self, mutex, thread, stopped=lambda: False, timed=False):
        """False: the time was over."""

        def sleep():
            mutex.release()
            return self.sleepers.fall_asleep()

        def wake(signalled):
            if me in self.sleepers.asleep:
                self.sleepers.asleep.remove(me)
            return signalled

        me = yield always(sleep)
        if timed:
            done = yield always(lambda: wake(me not in self.sleepers.asleep))
        else:
            may_wake = lambda: self.spurious or stopped() or me not in self.sleepers.asleep
            done = yield when(may_wake, lambda: wake(True))
        yield from mutex.lock(thread)
        return done

    def notify_one(self):
        yield from self.sleepers.wake_one()

    def notify_all(self):
        yield from self.sleepers.wake_all()


class Future:
    """The state that a promise and its futures share. What is in it: nothing, a value, an
    exception."""

    EMPTY, BROKEN = None, "broken"

    def __init__(self):
        self.content = Future.EMPTY

    def put(self, content):
        """False: promise_already_satisfied."""
        if self.content is not Future.EMPTY:
            return False
        self.content = content
        return True

    def set(self, content):
        return (yield always(lambda: self.put(content)))

    def abandon(self):
        """The promise is destroyed."""
        yield always(lambda: self.put(Future.BROKEN))

    def get(self):
        return (yield when(lambda: self.content is not Future.EMPTY, lambda: self.content))

    def is_ready(self):
        """wait_for: true or, while there is nothing, the time is over."""
        return (yield always(lambda: self.content is not Future.EMPTY))


class Once:
    """call_once. The callable may throw: then the next one calls."""

    def __init__(self):
        self.running = self.done = False

    def enter(self):
        if self.done:
            return False
        self.running = True
        return True

    def leave(self, done):
        self.running = False
        self.done = done

    def call(self, body):
        """`body` returns true if it throws. True: it did."""
        if not (yield when(lambda: not self.running, self.enter)):
            return False
        threw = yield from body()
        yield always(lambda: self.leave(not threw))
        return threw


class StopState:
    """What a stop_source, its tokens and callbacks share."""

    def __init__(self):
        self.requested = False
        self.callbacks = []
        self.running = None

    def request(self):
        if self.requested:
            return False
        self.requested = True
        return True

    def request_stop(self, thread):
        if not (yield always(self.request)):
            return False
        # In which order is left open.
        begin_one = any_of(lambda: [lambda c=c: self.begin(c) for c in self.callbacks])
        while callback := (yield begin_one):
            yield from callback(thread)
            yield always(self.finish)
        return True

    def begin(self, callback):
        self.callbacks.remove(callback)
        self.running = callback
        return callback

    def finish(self):
        self.running = None

    def stop_requested(self):
        return (yield always(lambda: self.requested))

    def register(self, callback, thread):
        """The constructor of a stop_callback: called there and then if a stop was requested."""

        def add():
            if self.requested:
                return True
            self.callbacks.append(callback)
            return False

        if (yield always(add)):
            yield from callback(thread)

    def deregister(self, callback):
        """Its destructor: waits for a callback that runs on another thread."""

        def remove():
            if callback in self.callbacks:
                self.callbacks.remove(callback)

        yield when(lambda: self.running is not callback, remove)


class RobustMutex:
    """A mutex whose owner may die. Who locks it next is told, and may repair it; unlocked without
    that it is of no use any more."""

    LOCKED, OWNER_DIED, LOST = 0, 1, 2

    def __init__(self):
        self.held = self.damaged = self.lost = False

    def take(self):
        if self.lost:
            return RobustMutex.LOST
        self.held = True
        return RobustMutex.OWNER_DIED if self.damaged else RobustMutex.LOCKED

    def lock(self):
        return (yield when(lambda: self.lost or not self.held, self.take))

    def repair(self):
        self.damaged = False

    def release(self):
        self.held = False
        self.lost = self.damaged

    def unlock(self):
        yield always(self.release)

    def die(self):
        """The owner ends."""

        def leave():
            self.held, self.damaged = False, True

        yield always(leave)


class Cancellation:
    """A request to cancel a thread, which acts on it at a cancellation point."""

    def __init__(self):
        self.requested = False

    def request(self):
        yield always(lambda: setattr(self, "requested", True))

    def point(self):
        """True: the thread is cancelled here."""
        return (yield always(lambda: self.requested))

    def point_while_waiting(self, permitted, effect):
        """A wait that is a cancellation point: if it could end either way, either may happen."""

        def options():
            ends = [lambda: effect() and False] if permitted() else []
            return ends + ([lambda: True] if self.requested else [])

        return (yield Step(options))


class FutexSleeper:
    def __init__(self, bits, queue):
        self.bits = bits
        self.queue = queue  # None: woken
        queue.append(self)

    def leave(self):
        """True: it was woken."""
        if self.queue is None:
            return True
        self.queue.remove(self)
        return False


class Futex:
    """A word that stays as it is, and who sleeps on it with a time limit."""

    def __init__(self):
        self.asleep = []

    def wait(self, bits=-1):
        """True: woken; false: timed out."""
        me = yield always(lambda: FutexSleeper(bits, self.asleep))
        return (yield always(me.leave))

    def wake(self, bits=-1):
        """All whose bits are among these; how many."""

        def wake_all():
            woken = [s for s in self.asleep if s.bits & bits]
            for sleeper in woken:
                self.asleep.remove(sleeper)
                sleeper.queue = None
            return len(woken)

        return (yield always(wake_all))

    def requeue(self, target):
        """All of them sleep on another word from now on; how many."""

        def move():
            moved, self.asleep[:] = list(self.asleep), []
            for sleeper in moved:
                sleeper.queue = target.asleep
                target.asleep.append(sleeper)
            return len(moved)

        return (yield always(move))


class Stream:
    """A pipe, or one direction of a socket pair."""

    def __init__(self):
        self.content = []
        self.closed = False

    def write(self, *items):
        yield always(lambda: self.content.extend(items))

    def close(self):
        yield always(lambda: setattr(self, "closed", True))

    def take(self, most):
        taken, self.content[:] = self.content[:most], self.content[most:]
        return taken

    def read(self, most):
        """What is there, as soon as there is something; nothing at the end."""
        return (yield when(lambda: self.content or self.closed, lambda: self.take(most)))

    def poll(self):
        """With a time limit, which may be over whenever there is nothing."""
        return (yield always(lambda: bool(self.content or self.closed)))

"""Families of programs with a closed formula for the number of executions, and its derivation.

Words used below. A thread with n operations makes n + 2 steps: begin, the n, end; main makes its
begin, a step for each create, join and operation, and its exit. `a | b` are all ways to interleave
a chain of a steps with one of b steps: C(a + b, a). Series and parallel: if two parts follow each
other, their numbers of executions multiply; if they run beside each other, they multiply, times the
interleavings of their lengths. What conflicts and what does not makes no difference to the number
of executions of a search without reduction, only to the final values and to how many of the
executions are different: these are the orders of the conflicting operations alone, all of which
occur.
"""

from dataclasses import dataclass
from itertools import permutations
from math import comb, factorial, prod

import model


@dataclass
class Member:
    program: model.Program
    counts: dict  # bound on preemptions (None: without): executions
    different: int | None  # classes among the executions without a bound; None: no formula


def lines(*threads):
    labels = ["main", *map(str, range(1, len(threads)))]
    return "\n".join(f"{label}: {body}" for label, body in zip(labels, threads))


def member(name, threads, counts, different=None):
    return Member(model.program(name, lines(*threads)), counts, different)


def times(n, operation):
    return "; ".join([operation] * n)


def interleaved(*lengths):
    """All ways to interleave chains of these lengths."""
    return factorial(sum(lengths)) // prod(map(factorial, lengths))


def each(text, threads):
    return "; ".join(text.format(t) for t in threads)


# One thread: there is nothing to choose.


def alone():
    """main runs by itself, or waits for one thread at a time: every step is the only one. 1."""
    chain = "; ".join(f"create {t}; add 0 1; join {t}" for t in (1, 2, 3))
    # In the chain main's own step runs beside the thread's 2 + n: (n + 3) places for each.
    counts = {None: (2 + 3) * (0 + 3) * (1 + 3)}
    one = dict.fromkeys((None, 0, 1, 2), 1)
    yield member("main alone", ["add 0 1; load 0"], one)
    yield member("create and join", ["create 1; join 1", "add 0 1"], one)
    yield member("one after the other", [chain, "add 0 1; add 0 1", "", "load 0"], counts)


# Two threads.


def beside_main(n, m, bound):
    """main: begin, create, n operations, join, exit; thread 1: m operations, so L = m + 2 steps.

    Without a bound: n | L, since join comes after both. C(n + m + 2, n).

    With a bound p: an execution is a word of a blocks of main's n steps and b blocks of the
    thread's L steps, by turns; C(n-1, a-1) C(L-1, b-1) of them for each way to begin. main runs
    when the thread comes to life. Every block but the last of its thread ends in a preemption:
    a + b - 2 of them (main's last block ends before its join, which waits; the thread's ends it).
    If the word begins with the thread, that is one more. Beginning with main needs a - b in {0, 1},
    beginning with the thread b - a in {0, 1}.
    """
    length = m + 2
    if bound is None:
        return comb(n + length, n)
    total = 0
    for a in range(1, n + 1):
        for b in range(1, length + 1):
            words = comb(n - 1, a - 1) * comb(length - 1, b - 1)
            total += words * (a - b in (0, 1) and a + b - 2 <= bound)
            total += words * (b - a in (0, 1) and a + b - 1 <= bound)
    return total


def two():
    for n, m in [(1, 0), (1, 1), (2, 2), (3, 2), (5, 5), (7, 5)]:
        for what, other in [("conflicting", "add 0 1"), ("independent", "add 1 1")]:
            threads = [f"create 1; {times(n, 'add 0 1')}; join 1", times(m, other)]
            counts = {b: beside_main(n, m, b) for b in (None, 0, 1, 2)}
            different = interleaved(n, m) if what == "conflicting" else 1
            yield member(f"beside main, {n} and {m} {what} steps", threads, counts, different)


def cut_off(n, m):
    """As beside_main, but main does not join: its exit cuts off the thread of L = m + 2 steps.

    Sum over the k = 0..L steps that the thread makes, n | k each: C(n + L + 1, L), the sum of a
    diagonal of Pascal's triangle.
    """
    return comb(n + m + 3, m + 2)


def without_join():
    for n, m in [(0, 0), (0, 3), (2, 2), (4, 3)]:
        counts = {None: cut_off(n, m)}
        body = times(m, "store 0 1")
        main = f"create 1; {times(n, 'load 0')}"
        yield member(f"not joined, {n} and {m} steps", [main, body], counts)
        if n > 0:  # detach is one of main's n steps
            main = f"create 1; detach 1; {times(n - 1, 'load 0')}"
            yield member(f"detached, {n} and {m} steps", [main, body], counts)


# Two to four threads beside main: created in order, joined in reverse order or in order.


def reverse_joined(sizes):
    """main: begin, create 1..k, join k..1, exit; thread i: n_i operations, so L_i = n_i + 2 steps.

    From create i to join i: create i, then thread i beside everything from create i+1 to join i+1,
    then join i. With s_i steps in all of it: s_k = L_k + 2, 1 way; s_i = L_i + s_(i+1) + 2 and
    C(L_i + s_(i+1), L_i) times the ways of i+1.
    """
    length = sizes[-1] + 2 + 2
    count = 1
    for size in reversed(sizes[:-1]):
        count *= interleaved(size + 2, length)
        length += size + 2 + 2
    return count


def two_joined_in_order(n1, n2):
    """main: begin, create 1, create 2, join 1, join 2, exit.

    A = thread 1 and join 1: L1 + 1 steps. B = create 2 and thread 2: L2 + 1 steps. A | B, but
    join 1 comes after create 2, and that fails only where all of A is before all of B:
    C(L1 + L2 + 2, L1 + 1) - 1.
    """
    return comb(n1 + n2 + 6, n1 + 3) - 1


def joined(bodies, order, counts, name, different=None):
    threads = range(1, len(bodies) + 1)
    joins = each("join {}", threads[::order])
    return member(name, [f"{each('create {}', threads)}; {joins}", *bodies], counts, different)


def several():
    for sizes in [(1, 1), (2, 3), (3, 2), (4, 4), (1, 1, 1), (0, 1, 2), (2, 0, 1)]:
        counts = {None: reverse_joined(sizes)}
        kinds = [("conflicting", "add 0 1"), ("independent", "add {} 1"), ("lone", "fence")]
        for what, body in kinds:
            bodies = [times(n, body.format(t)) for t, n in enumerate(sizes)]
            different = interleaved(*sizes) if what == "conflicting" else 1
            name = f"{what} steps, {sizes}, joined in reverse"
            yield joined(bodies, -1, counts, name, different)
    for sizes in [(0, 0), (0, 0, 0), (0, 0, 0, 0), (1, 0, 0, 0)]:
        counts = {None: reverse_joined(sizes)}
        bodies = [times(n, "add 0 1") for n in sizes]
        yield joined(bodies, -1, counts, f"steps {sizes}, joined in reverse", 1)
    for n1, n2 in [(0, 0), (1, 1), (2, 3), (3, 2), (5, 5)]:
        counts = {None: two_joined_in_order(n1, n2)}
        bodies = [times(n1, "add 0 1"), times(n2, "load 0")]
        name = f"threads of {n1} and {n2} steps, joined in order"
        yield joined(bodies, 1, counts, name, interleaved(n1, n2))
        bodies = [times(n1, "load 0"), times(n2, "load 0")]
        yield joined(bodies, 1, counts, f"{n1} and {n2} reads, joined in order", 1)


def unpreempted(k):
    """k threads, joined in reverse, no preemption: main creates all of them and waits for thread k.

    Each thread, once chosen, runs to its end; main, once chosen, joins until it comes to a thread
    that has not ended. So main's runs divide the order in which the threads end into lists, and
    each list holds the thread that main then waits for, the highest that is left: the set of lists
    fixes their order. The ways to divide k things into a set of j lists: k! orders, C(k-1, j-1)
    places to cut, j! orders of the lists.
    """
    return sum(comb(k - 1, j - 1) * factorial(k) // factorial(j) for j in range(1, k + 1))


def without_preemption():
    for k in (1, 2, 3, 4):
        # With 4 threads already 0 operations each make 61,425 executions without a bound.
        body = "add 0 1" if k < 4 else ""
        counts = {0: unpreempted(k)}
        yield joined([body] * k, -1, counts, f"{k} threads, joined in reverse, no preemption")


def permuted():
    """Threads of equal length with different contents: it does not matter which is which."""
    bodies = ["add 0 1", "cas 0 0 5", "load 0"]
    for order in permutations(range(3)):
        chosen = [bodies[i] for i in order]
        counts = {None: reverse_joined((1, 1, 1)), 0: unpreempted(3)}
        # All orders differ but two: behind the addition the compare-exchange fails, and so commutes
        # with the load.
        different = factorial(3) - 1
        yield joined(chosen, -1, counts, f"three threads, permuted as {order}", different)


# Nests: each thread creates the next, works, and joins it.


def nest(k, n):
    """The innermost thread makes n + 2 steps, 1 way. Around it: begin, create, n steps beside the
    inner one's L, join, end: L + n + 4 steps, C(n + L, n) times its ways. main likewise."""
    length, count = n + 2, 1
    for _ in range(k):
        count *= interleaved(n, length)
        length += n + 4
    return count


def nests():
    for k, n in [(1, 3), (2, 0), (2, 2), (3, 1), (4, 1)]:
        work = times(n, "add 0 1")
        threads = [f"create {t}; {work}; join {t}" for t in range(1, k + 1)] + [work]
        yield member(f"nest of {k} threads with {n} steps each", threads, {None: nest(k, n)})


# Locks.


def two_sections(n):
    """main: begin, create 1, create 2, join 2, join 1, exit; two threads: begin, section, end.
    A section is lock, n operations, unlock: n + 2 steps.

    The sections come one after the other, in one of two orders. After create 1, A = begin 1,
    section 1, end 1 runs beside B = create 2, begin 2, section 2, end 2, join 2.
    Section 1 first: i of create 2, begin 2 come before unlock 1, which ends A's first n + 3 steps:
    (n + 2) | i ways. Then end 1 beside the rest of B: 1 | (2 - i + n + 2 + 2).
    Section 2 first: begin 1 comes before unlock 2 (i = 1) or not (i = 0), which ends B's first
    n + 4 steps: (n + 3) | i. Then the rest of A, 1 - i + n + 2 + 1 steps, beside end 2, join 2.
    """
    first = sum(interleaved(n + 2, i) * interleaved(1, 2 - i + n + 4) for i in range(3))
    second = sum(interleaved(n + 3, i) * interleaved(1 - i + n + 3, 2) for i in range(2))
    return first + second


def section_beside_main(n, m):
    """main: begin, create 1, lock, n, unlock, join 1, exit; thread 1: begin, lock, m, unlock, end.

    main's section first: begin 1 comes before unlock (i = 1) or not (i = 0): (n + 1) | i; the rest
    is one chain. The thread's section first: main's waits for unlock 1, then end 1 is beside its
    n + 2 steps. The thread's own m make no difference.
    """
    return sum(interleaved(n + 1, i) for i in range(2)) + interleaved(1, n + 2)


def locks():
    for n in (0, 1, 3, 10):
        body = f"lock 0; {times(n, 'add 0 1')}; unlock 0"
        yield joined([body, body], -1, {None: two_sections(n)}, f"two sections of {n} steps", 2)
    for n, m in [(0, 0), (2, 5), (4, 1)]:
        threads = [
            f"create 1; lock 0; {times(n, 'add 0 1')}; unlock 0; join 1",
            f"lock 0; {times(m, 'add 0 1')}; unlock 0",
        ]
        counts = {None: section_beside_main(n, m)}
        yield member(f"section of {n} in main, of {m} in the thread", threads, counts, 2)
    # main holds the mutex from before create to after: the thread makes its begin only, which comes
    # between the n + 1 steps up to unlock or after them; then it is the only one: n + 2.
    for n in (0, 3):
        threads = [f"lock 0; create 1; {times(n, 'load 0')}; unlock 0; join 1", "lock 0; unlock 0"]
        yield member(f"held over create and {n} steps", threads, {None: n + 2}, 1)
    # Three sections: 3! orders are different.
    yield joined(["lock 0; unlock 0"] * 3, -1, {}, "three sections", factorial(3))


# Choices.


def choices():
    """Each choose(n) multiplies by n; beside another thread, the interleavings as well."""
    for sizes in [(2,), (3, 3), (2, 3, 4)]:
        body = each("choose {}", sizes)
        counts = {b: prod(sizes) for b in (None, 0, 1, 2)}
        yield member(f"choices of {sizes}", [body], counts, prod(sizes))
        counts = {b: prod(sizes) * beside_main(1, len(sizes), b) for b in (None, 0, 1, 2)}
        threads = ["create 1; load 0; join 1", body]
        yield member(f"choices of {sizes} beside main", threads, counts, prod(sizes))


# Yields: a switch at one is no preemption.


def yields():
    """main: begin, create, n yields, join, exit; the thread does not yield and makes L steps.

    Without preemption the thread, once begun, goes on to its end: before one of the n yields, or
    after all of them: n + 1. With a bound of p: preemptions cut the thread's L steps into blocks at
    i <= p of L - 1 places; the i + 1 blocks go to different ones of the n + 1 places:
    C(L - 1, i) C(n + 1, i + 1).
    """
    for n, m in [(1, 0), (3, 1), (4, 3)]:
        length = m + 2
        counts = {None: comb(n + length, n)}
        for bound in (0, 1, 2):
            counts[bound] = sum(comb(length - 1, i) * comb(n + 1, i + 1) for i in range(bound + 1))
        threads = [f"create 1; {times(n, 'yield')}; join 1", times(m, "add 0 1")]
        yield member(f"{n} yields beside {m} steps", threads, counts)


# Conditions.


def signals():
    """k threads are asleep when main signals; each signal may wake any one that still sleeps.

    main holds the mutex, and creates one thread after the other. It waits on a condition of its own
    until the new one says, with the mutex, that it is there; when main has the mutex again, that
    thread sleeps. No preemption: then all of this goes one way. main signals k times without
    letting go of the mutex: k! outcomes. Then it unlocks, and joins in order.
    k = 1: nothing else is to choose. k = 2: main waits for thread 1. If 2 runs first, 1 is next,
    then main. If 1 runs first, main or 2 is next, and main can only join 1. 3 ways.
    """
    for k, ways in [(1, 1), (2, 3)]:
        arrive = "lock 0; add 0 1; signal 1; wait 0 0; unlock 0"
        threads = range(1, k + 1)
        started = "create {}; load 0; while {} {{ wait 1 0; load 0 }}"
        start = "; ".join(started.format(t, t - 1) for t in threads)
        signals = times(k, "signal 0")
        main = f"lock 0; {start}; {signals}; unlock 0; {each('join {}', threads)}"
        counts = {0: factorial(k) * ways}
        yield member(f"{k} signals to {k} sleepers", [main] + [arrive] * k, counts)


# Semaphores and barriers.


def posts():
    """main: begin, create, n operations, post, join, exit; thread: begin, wait, m operations, end.

    The thread's begin comes before one of main's n + 1 steps up to the post, or after them all;
    the rest is one chain: n + 2.
    """
    for n, m in [(0, 0), (3, 2), (5, 1)]:
        threads = [
            f"create 1; {times(n, 'add 0 1')}; sempost 0; join 1",
            f"semwait 0; {times(m, 'add 0 1')}",
        ]
        counts = {None: n + 2}
        yield member(f"a post after {n} steps, {m} steps after it", threads, counts, 1)


def met(n, m, n_after, m_after):
    """main: begin, create, n operations, barrier, n_after operations, join, exit; the thread: begin,
    m operations, barrier, m_after operations, end.

    Up to the barrier main makes a = n + 1 steps and the thread b = m + 2, the last of each being
    its arrival; who arrives first has to pass in a step of its own later.
    main arrives last: the other a - 1 steps beside b; then n_after beside pass, m_after and end.
    The thread does: a beside b - 1; then pass and n_after beside m_after and end.
    """
    a, b = n + 1, m + 2
    main_last = interleaved(a - 1, b) * interleaved(n_after, m_after + 2)
    thread_last = interleaved(a, b - 1) * interleaved(n_after + 1, m_after + 1)
    return main_last + thread_last


def barriers():
    for sizes in [(0, 0, 0, 0), (1, 2, 0, 1), (2, 1, 2, 2), (0, 3, 3, 0)]:
        n, m, n_after, m_after = sizes
        threads = [
            f"create 1; {times(n, 'add 0 1')}; barrier 1; {times(n_after, 'add 0 1')}; join 1",
            f"{times(m, 'add 1 1')}; barrier 1; {times(m_after, 'add 1 1')}",
        ]
        # Their operations commute: only who arrives first is different.
        yield member(f"a barrier between {sizes} steps", threads, {None: met(*sizes)}, 2)


def all_members():
    families = [
        alone, two, without_join, several, without_preemption, permuted, nests, locks, choices,
        yields, signals, posts, barriers,
    ]  # fmt: skip
    return [m for family in families for m in family()]

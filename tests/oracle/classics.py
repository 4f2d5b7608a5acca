"""Small programs that people of this field know, and one or more for each kind of operation.

No number is written here: the oracle computes them all. NEVER and ALWAYS say of some programs which
final values do not occur, or occur, in a complete search; the oracle is checked against these as
well.
"""

import model

PROGRAMS = {
    # Sequential consistency.
    "store buffering": """
        main: create 1; create 2; join 1; join 2
        1: store 0 1; load 1
        2: store 1 1; load 0""",
    "message passing": """
        main: create 1; store 0 1; store 1 1; join 1
        1: load 1; load 0""",
    "load buffering": """
        main: create 1; load 0; store 1 1; join 1
        1: load 1; store 0 1""",
    "coherence": """
        main: create 1; create 2; join 1; join 2
        1: store 0 1; store 0 2
        2: load 0; load 0; load 0""",
    "independent reads of independent writes": """
        main: create 1; create 2; store 0 1; store 1 1; join 2; join 1
        1: load 0; load 1
        2: load 1; load 0""",
    # Updates.
    "lost update": """
        main: create 1; load 0; if 0 { store 0 1 }; join 1
        1: load 0; if 0 { store 0 2 }""",
    "updates": """
        main: create 1; create 2; join 2; join 1; load 0; assert 4
        1: add 0 1; add 0 1
        2: add 0 1; add 0 1""",
    "compare-exchange, one wins": """
        main: create 1; create 2; cas 0 0 1; join 1; join 2
        1: cas 0 0 2
        2: cas 0 0 3""",
    "exchange as a lock that gives up": """
        main: create 1; exchange 0 1; if 0 { add 1 1; store 0 0 }; join 1
        1: exchange 0 1; if 0 { add 1 1; store 0 0 }""",
    "reads commute": """
        main: create 1; create 2; join 2; join 1
        1: load 0; load 0; load 0
        2: load 0; load 0; store 0 1""",
    # Mutexes.
    "two locks, two orders": """
        main: create 1; create 2; join 1; join 2
        1: lock 0; lock 1; unlock 1; unlock 0
        2: lock 1; lock 0; unlock 0; unlock 1""",
    "three philosophers": """
        main: create 1; create 2; lock 2; lock 0; unlock 0; unlock 2; join 1; join 2
        1: lock 0; lock 1; unlock 1; unlock 0
        2: lock 1; lock 2; unlock 2; unlock 1""",
    "locks twice": """
        main: create 1; join 1
        1: lock 0; lock 0; unlock 0; unlock 0""",
    "locks for ever": """
        main: create 1; create 2; join 2
        1: lock 0
        2: lock 0; unlock 0""",
    "tries and gives way": """
        main: create 1; create 2; join 1; join 2
        1: lock 0; trylock 1; if 1 { add 0 1; unlock 1 }; unlock 0
        2: lock 1; trylock 0; if 1 { add 0 1; unlock 0 }; unlock 1""",
    "tries its own": """
        main: create 1; lock 0; trylock 0; unlock 0; join 1
        1: trylock 0; if 1 { trylock 0; unlock 0 }""",
    "timed locks": """
        main: create 1; create 2; join 1; join 2
        1: lock 0; add 0 1; unlock 0
        2: timedlock 0; if 1 { add 0 2; unlock 0 }; if 0 { store 1 1 }""",
    "timed lock of its own": """
        main: create 1; lock 0; timedlock 0; unlock 0; join 1
        1: lock 0; unlock 0""",
    "timed locks instead of a deadlock": """
        main: create 1; lock 0; timedlock 1; if 1 { unlock 1 }; unlock 0; join 1
        1: lock 1; timedlock 0; if 1 { unlock 0 }; unlock 1""",
    "recursive": """
        main: create 1; create 2; join 1; join 2
        1: rlock 0; rlock 0; add 0 1; runlock 0; runlock 0
        2: rtrylock 0; if 1 { rtrylock 0; rlock 0; add 0 2; runlock 0; runlock 0; runlock 0 }""",
    # Conditions.
    "wait for a flag": """
        main: create 1; lock 0; store 0 1; signal 0; unlock 0; join 1
        1: lock 0; load 0; while 0 { wait 0 0; load 0 }; unlock 0""",
    "lost wake-up": """
        main: create 1; store 0 1; signal 0; join 1
        1: lock 0; load 0; if 0 { wait 0 0 }; unlock 0""",
    "signal too few": """
        main: create 1; create 2; lock 0; store 0 1; signal 0; unlock 0; join 1; join 2
        1: lock 0; load 0; while 0 { wait 0 0; load 0 }; unlock 0
        2: lock 0; load 0; while 0 { wait 0 0; load 0 }; unlock 0""",
    "broadcast": """
        main: create 1; create 2; lock 0; store 0 1; broadcast 0; unlock 0; join 1; join 2
        1: lock 0; load 0; while 0 { wait 0 0; load 0 }; unlock 0
        2: lock 0; load 0; while 0 { wait 0 0; load 0 }; unlock 0""",
    "which of two sleepers": """
        main: create 1; create 2; lock 0; signal 0; unlock 0; exchange 0 9
        1: lock 0; wait 0 0; add 0 1; unlock 0
        2: lock 0; wait 0 0; add 0 2; unlock 0""",
    "timed wait": """
        main: create 1; lock 0; signal 0; unlock 0; join 1
        1: lock 0; timedwait 0 0; unlock 0""",
    "two timed waits, one signal": """
        main: create 1; create 2; signal 0; join 1; join 2
        1: lock 0; timedwait 0 0; unlock 0
        2: lock 0; timedwait 0 0; unlock 0""",
    "timed wait, and one without limit": """
        main: create 1; create 2; lock 0; signal 0; unlock 0; join 2
        1: lock 0; wait 0 0; unlock 0
        2: lock 0; timedwait 0 0; unlock 0""",
    "hands over to and fro": """
        main: create 1; lock 0; store 0 1; signal 0; load 1; while 0 { wait 1 0; load 1 }; unlock 0
        1: lock 0; load 0; while 0 { wait 0 0; load 0 }; store 1 1; signal 1; unlock 0""",
    # Reader-writer locks.
    "readers beside each other": """
        main: create 1; create 2; join 1; join 2
        1: rdlock 0; add 0 1; add 0 1; rwunlock 0
        2: rdlock 0; add 0 1; rwunlock 0""",
    "a reader and a writer": """
        main: create 1; create 2; join 1; join 2
        1: wrlock 0; store 0 1; store 0 2; rwunlock 0
        2: rdlock 0; load 0; load 0; rwunlock 0""",
    "two writers, tried": """
        main: create 1; create 2; join 1; join 2
        1: wrlock 0; trywr 0; tryrd 0; rwunlock 0
        2: trywr 0; if 1 { add 0 1; rwunlock 0 }""",
    "reader tries to write": """
        main: create 1; create 2; join 1; join 2
        1: rdlock 0; trywr 0; timedwr 0; rwunlock 0
        2: tryrd 0; if 1 { rwunlock 0 }""",
    "reader writes": """
        main: create 1; join 1
        1: rdlock 0; wrlock 0""",
    "writer locks again": """
        main: create 1; wrlock 0; wrlock 0; rdlock 0; timedrd 0; timedwr 0; rwunlock 0; join 1
        1: rdlock 0; rwunlock 0""",
    "timed readers and writers": """
        main: create 1; create 2; join 1; join 2
        1: timedrd 0; if 1 { load 0; rwunlock 0 }
        2: timedwr 0; if 1 { store 0 1; rwunlock 0 }""",
    "reads twice past a writer": """
        main: create 1; rdlock 0; rdlock 0; rwunlock 0; rwunlock 0; join 1
        1: wrlock 0; rwunlock 0""",
    "reads twice, writers first": """
        main: create 1; rdlock 2; rdlock 2; rwunlock 2; rwunlock 2; join 1
        1: wrlock 2; rwunlock 2""",
    "tries to read twice, writers first": """
        main: create 1; rdlock 2; tryrd 2; if 1 { rwunlock 2 }; rwunlock 2; join 1
        1: wrlock 2; rwunlock 2""",
    "a writer has yet to come, writers first": """
        main: create 1; load 0; rdlock 2; load 1; rwunlock 2; join 1
        1: store 0 1; wrlock 2; store 1 1; rwunlock 2""",
    "a writer gives up, writers first": """
        main: create 1; create 2; rdlock 2; load 0; rwunlock 2; join 1; join 2
        1: timedwr 2; if 1 { store 0 1; rwunlock 2 }
        2: tryrd 2; if 1 { rwunlock 2 }""",
    "two writers and a reader, writers first": """
        main: create 1; create 2; wrlock 2; rwunlock 2; join 2; join 1
        1: wrlock 2; add 0 1; rwunlock 2
        2: rdlock 2; load 0; rwunlock 2""",
    # Semaphores.
    "semaphore as a signal": """
        main: create 1; store 0 1; sempost 0; join 1
        1: semwait 0; load 0""",
    "semaphore, too few posts": """
        main: create 1; create 2; sempost 0; join 1
        1: semwait 0
        2: semwait 0""",
    "semaphore as a mutex": """
        main: sempost 0; create 1; create 2; join 1; join 2
        1: semwait 0; load 0; if 0 { store 0 1 }; sempost 0
        2: semwait 0; load 0; if 0 { store 0 2 }; sempost 0""",
    "semaphore tried and looked at": """
        main: create 1; create 2; semvalue 0; semtrywait 0; join 1; join 2
        1: sempost 0; semvalue 0
        2: semtimedwait 0""",
    # Barriers.
    "barrier of one": """
        main: create 1; barrier 0; load 0; join 1
        1: store 0 1; barrier 0""",
    "barrier of two": """
        main: create 1; create 2; join 1; join 2
        1: store 0 1; barrier 1; load 1
        2: store 1 1; barrier 1; load 0""",
    "barrier of three": """
        main: create 1; create 2; add 0 1; barrier 2; join 1; join 2
        1: add 0 1; barrier 2; load 0
        2: barrier 2""",
    "barrier, two of three": """
        main: create 1; create 2; barrier 1; join 1; join 2
        1: barrier 1
        2: barrier 1""",
    "barrier twice": """
        main: create 1; barrier 1; add 0 1; barrier 1; join 1
        1: barrier 1; load 0; barrier 1""",
    # Futexes.
    "futex as a signal": """
        main: create 1; store 0 1; fwake 0 1; join 1
        1: fwait 0 0; load 0""",
    "futex, woken too early": """
        main: create 1; fwake 0 1; store 0 1; join 1
        1: fwait 0 0; load 0""",
    "futex, which of two": """
        main: create 1; create 2; fwake 0 1; fwake 0 1; join 1; join 2
        1: ftimedwait 0 0; add 1 1
        2: ftimedwait 0 0; add 1 2""",
    "futex, all": """
        main: create 1; create 2; exchange 0 1; fwake 0 9; join 1; join 2
        1: fwait 0 0
        2: fwait 0 0""",
    "futex, two words": """
        main: create 1; fwake 1 1; fwake 0 1; join 1
        1: ftimedwait 0 0""",
    # Spin locks, error-checking and recursive mutexes.
    "spin locks": """
        main: create 1; create 2; join 1; join 2
        1: spinlock 0; load 0; store 0 1; spinunlock 0
        2: spintrylock 0; if 1 { spintrylock 0; load 0; store 0 2; spinunlock 0 }""",
    "two spin locks, two orders": """
        main: create 1; spinlock 0; spinlock 1; spinunlock 1; spinunlock 0; join 1
        1: spinlock 1; spinlock 0; spinunlock 0; spinunlock 1""",
    "spins on its own": """
        main: create 1; join 1
        1: spinlock 0; spinlock 0""",
    "error-checking mutex": """
        main: create 1; elock 0; elock 0; etrylock 0; etimedlock 0; eunlock 0; eunlock 0; join 1
        1: eunlock 0; etrylock 0; if 1 { load 0; eunlock 0 }; etimedlock 0; if 1 { eunlock 0 }""",
    "recursive, with a time limit": """
        main: create 1; create 2; join 1; join 2
        1: rtimedlock 0; if 1 { rtimedlock 0; runlock 0; runlock 0 }
        2: rlock 0; load 0; runlock 0""",
    # Once, statics.
    "call once": """
        main: create 1; create 2; join 1; join 2
        1: once 0 { add 0 1 }; load 0
        2: once 0 { add 0 10 }; load 0""",
    "call once, nested": """
        main: create 1; create 2; join 1; join 2
        1: once 0 { once 1 { add 0 1 } }
        2: once 1 { once 0 { add 0 2 } }""",
    "static": """
        main: create 1; static 0; load 0; join 1
        1: static 0; load 0""",
    # Choices, yields, sleeps.
    "choices": """
        main: create 1; choose 2; if 1 { store 0 1 }; join 1
        1: choose 3; load 0""",
    "yields": """
        main: create 1; create 2; join 1; join 2
        1: yield; add 0 1; yield
        2: yield; add 0 1""",
    "sleeps": """
        main: create 1; sleep; load 0; sleep; join 1
        1: store 0 1; sleep; store 0 2""",
    # Threads.
    "exit cuts off": """
        main: create 1; create 2; load 0
        1: add 0 1; add 0 1
        2: add 0 1""",
    "detached": """
        main: create 1; detach 1; create 2; join 2
        1: add 0 1
        2: add 0 1""",
    "main leaves": """
        main: create 1; create 2; leave
        1: add 0 1
        2: add 0 1; join 1""",
    "a thread ends the program": """
        main: create 1; add 0 1; join 1; load 1
        1: load 0; if 1 { exit }; add 0 1""",
    "main leaves a deadlock": """
        main: lock 0; create 1; leave
        1: load 0; lock 0""",
    "tries to join": """
        main: create 1; tryjoin 1; if 0 { join 1 }
        1: add 0 1""",
    "joins with a time limit": """
        main: create 1; timedjoin 1; if 0 { timedjoin 1 }; load 0
        1: add 0 1; add 0 1""",
    "grandchildren": """
        main: create 1; load 0; join 1
        1: create 2; create 3; join 3; add 0 1; join 2
        2: add 0 1
        3: add 0 1""",
    # Failures.
    "assertion": """
        main: create 1; store 0 1; store 0 2; join 1
        1: load 0; assert 0""",
    "assumption": """
        main: create 1; store 0 1; store 0 2; join 1
        1: load 0; assume 1; load 0; assert 1""",
    "assumption after the final values": """
        main: create 1; load 0
        1: add 0 1; assume 1; store 0 2""",
    "assertion or deadlock": """
        main: create 1; lock 0; load 0; assert 0; lock 1; unlock 1; unlock 0; join 1
        1: lock 1; add 0 1; lock 0; unlock 0; unlock 1""",
}  # fmt: skip

# Final values: the variables | main's results | thread 1's | ...
NEVER = {
    "store buffering": ["1 1 0 0 | | 0 | 0"],
    "message passing": ["1 1 0 0 | | 1 0"],
    "load buffering": ["1 1 0 0 | 1 | 1"],
    "coherence": ["2 0 0 0 | | | 2 1 2", "2 0 0 0 | | | 1 0 2"],
    "independent reads of independent writes": ["1 1 0 0 | | 1 0 | 1 0"],
    "a reader and a writer": ["2 0 0 0 | | 1 | 1 1 2", "2 0 0 0 | | 1 | 1 0 2"],
    "semaphore as a signal": ["1 0 0 0 | | 0"],
    "semaphore as a mutex": ["1 0 0 0 | | 0 | 0", "2 0 0 0 | | 0 | 0"],
    "barrier of two": ["1 1 0 0 | | 1 0 | 0 1", "1 1 0 0 | | 1 1 | 1 1", "1 1 0 0 | | 0 1 | 0 1"],
    "futex as a signal": ["1 0 0 0 | 1 | 0 1"],
}
ALWAYS = {
    "store buffering": ["1 1 0 0 | | 1 | 1", "1 1 0 0 | | 0 | 1", "1 1 0 0 | | 1 | 0"],
    "lost update": ["1 0 0 0 | 0 | 0", "2 0 0 0 | 0 | 0", "2 0 0 0 | 2 | 0", "1 0 0 0 | 0 | 1"],
    "timed wait": ["0 0 0 0 | | 0", "0 0 0 0 | | 1"],
    "a reader and a writer": ["2 0 0 0 | | 1 | 1 0 0", "2 0 0 0 | | 1 | 1 2 2"],
    "tries to read twice, writers first": ["0 0 0 0 | 1 0 | 1", "0 0 0 0 | 1 1 | 1"],
    "a writer has yet to come, writers first": ["1 1 0 0 | 1 1 0 | 1", "1 1 0 0 | 1 1 1 | 1"],
    "barrier of two": ["1 1 0 0 | | 1 1 | 0 1", "1 1 0 0 | | 0 1 | 1 1"],
    "futex as a signal": ["1 0 0 0 | 0 | 0 1", "1 0 0 0 | 1 | 1 1"],
    "futex, which of two": ["0 3 0 0 | 1 1 | 1 0 | 1 1", "0 3 0 0 | 1 0 | 2 2 | 1 0"],
}


def programs():
    return [model.program(name, text) for name, text in PROGRAMS.items()]

#!/usr/bin/env python3
"""Well-known small programs, and those that a reduction gets wrong first: it covers what plain
depth-first search covers. As reduction_random.py, with more ways for each program.

By hand, in all ways: HEDDLE_BIN_DIR=… HEDDLE_SOURCE_DIR=. python3 tests/cli/reduction_classics.py 28 12
"""

import concurrent.futures
import functools
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "oracle"))
import classics
import compare
import model
import reduction_compare

MOST_EXECUTIONS = 400_000

PROGRAMS = {
    # What ends an execution hides what others would have done: here, what makes it go on.
    "an assumption that a later store fulfils": """
        main: create 1; load 0; assume 1; load 1; join 1
        1: store 1 1; store 0 1""",
    "an assertion that a later store fulfils": """
        main: create 1; load 0; assert 1; load 1; join 1
        1: store 1 1; store 0 1""",
    "an exit that a later store prevents": """
        main: create 1; load 0; if 0 { exit }; load 1; assert 0; join 1
        1: store 1 1; store 0 1""",
    "an exit in a thread that waits for main": """
        main: create 1; add 0 1; add 1 1; join 1
        1: load 1; if 0 { exit }; load 0; add 0 1""",
    "main returns while others run": """
        main: create 1; create 2; load 0
        1: store 0 1; add 1 1
        2: store 0 2; add 1 1""",
    "a deadlock that a try-lock avoids": """
        main: create 1; create 2; join 1; join 2
        1: lock 0; lock 1; unlock 1; unlock 0
        2: lock 1; trylock 0; if 1 { add 0 1; unlock 0 }; unlock 1""",
    "a wait that nobody ends": """
        main: create 1; lock 0; load 0; if 0 { wait 0 0 }; unlock 0; join 1
        1: store 0 1; signal 0""",
    "an assumption that covers nothing": """
        main: create 1; create 2; add 0 1
        1: load 0; assume 1
        2: load 0""",
    # What is possible depends on what others have done.
    "a way that is taken only if the race is reversed": """
        main: create 1; ftimedwait 0 0
        1: create 2; store 1 1; add 1 1
        2: cas 1 1 2; if 0 { exchange 0 0 }""",
    "three sections of one mutex, three orders": """
        main: create 1; create 2; lock 0; load 0; unlock 0; join 1; join 2
        1: lock 0; add 0 1; unlock 0
        2: lock 0; exchange 0 5; unlock 0""",
    "a try-lock between two sections": """
        main: create 1; create 2; join 1; join 2
        1: lock 0; unlock 0; lock 0; unlock 0
        2: trylock 0; if 1 { unlock 0; trylock 0; if 1 { unlock 0 } }""",
    "a signal for one of two, who differ": """
        main: lock 0; create 1; create 2; wait 1 0; signal 0; unlock 0; join 1
        1: lock 0; wait 0 0; exchange 0 1; unlock 0
        2: lock 0; signal 1; timedwait 0 0; exchange 0 2; unlock 0""",
    "a time-out against a signal": """
        main: create 1; add 0 1; signal 0; join 1
        1: lock 0; timedwait 0 0; if 0 { exchange 0 4 }; unlock 0""",
    "two posts for three waits": """
        main: create 1; create 2; sempost 0; semtrywait 0; sempost 0; join 1; join 2
        1: semtimedwait 0; if 1 { add 0 1 }
        2: semwait 0; exchange 0 7""",
    "a writer who is preferred": """
        main: create 1; create 2; rdlock 2; if 1 { load 0; rwunlock 2 }; join 1; join 2
        1: rdlock 2; if 1 { add 0 1; rwunlock 2 }
        2: wrlock 2; if 1 { store 0 9; rwunlock 2 }""",
    # Threads that come and go.
    "a thread that only some executions have": """
        main: create 1; load 0; if 1 { create 2; exchange 0 2; join 2 }; join 1
        1: store 0 1; add 0 1
        2: exchange 0 3""",
    "children of two parents, in either order": """
        main: create 1; create 2; join 2; join 1
        1: create 3; join 3
        2: create 4
        3: load 0
        4: exchange 0 4""",
    "a try-join and a detached thread": """
        main: create 1; create 2; detach 2; tryjoin 1; if 0 { add 0 1; join 1 }; load 0
        1: exchange 0 1
        2: exchange 0 2""",
    "a try that is in vain only if it comes earlier": """
        main: create 1; create 2; tryjoin 1; load 0
        1: exchange 0 1
        2: exchange 0 2""",
    "a deadlock, but for a thread that sleeps": """
        main: create 1; lock 1; unlock 1; leave
        1: create 2; lock 0; lock 1; unlock 1; unlock 0
        2: lock 1; lock 0; unlock 0; unlock 1""",
    "a choice, and what depends on it": """
        main: create 1; choose 3; if 1 { exchange 0 1 }; if 2 { add 0 1 }; load 1; join 1
        1: choose 2; if 0 { exchange 0 5 }; store 1 1""",
}


def main():
    reductions, bounded = map(int, sys.argv[1:] or (2, 1))
    programs = [model.program(name, text) for name, text in PROGRAMS.items()] + classics.programs()
    with tempfile.TemporaryDirectory() as directory:
        binary = compare.build(programs, pathlib.Path(directory), values_at_exit=True)
        check = functools.partial(
            reduction_compare.check, binary, count=reductions, bounded=bounded, most=MOST_EXECUTIONS
        )
        numbers = range(len(programs))
        with concurrent.futures.ProcessPoolExecutor(compare.WORKERS) as pool:
            results = list(pool.map(check, numbers, numbers))
    bad = 0
    for program, checked in zip(programs, results):
        bad += bool(checked.problems or checked.skipped)
        if checked.problems or checked.skipped:
            print(f"{program.name}:\n{program}\n  {'too long' if checked.skipped else ''}")
        for options, problem in checked.problems:
            print(f"  {' '.join(options)}\n    {problem}")
    print(f"{len(programs)} programs, {bad} differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""heddle::state: the states that are visited are those of an enumeration that keeps states.

The model is that of tests/command/states.cc: main creates the threads and joins them; each begins,
does what its word says, and ends. A state of the model is how far main and each thread are, who holds
the mutexes, and the counter. Of it the program declares a part.
"""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import built

HEAD = ["execution", "step", "state"]
PROGRAM = "states.cc"


class Model:
    """Threads are numbered from 0; main is the last. A thread's program is a list of operations."""

    def __init__(self, words):
        count = len(words)
        self.programs = [["begin", *self.operations(word), "end"] for word in words]
        self.programs.append(
            [("create", i) for i in range(count)] + [("join", i) for i in range(count)] + ["exit"]
        )
        self.main = count

    @staticmethod
    def operations(word):
        # An unlock of its own follows a try that works: "try" leads to "untry", or past it.
        return [operation for letter in word
                for operation in (["try", "untry"] if letter == "t" else [letter])]  # fmt: skip

    def first(self):
        return (0,) * len(self.programs), (None, None), 0

    def next_of(self, state, thread):
        places, _, _ = state
        program = self.programs[thread]
        if places[thread] == len(program):
            return None
        if thread != self.main and places[self.main] <= thread:
            return None  # not created yet
        return program[places[thread]]

    def enabled(self, state, thread):
        places, holders, _ = state
        operation = self.next_of(state, thread)
        if operation is None or places[self.main] == len(self.programs[self.main]):
            return False
        if operation[0] == "join":
            return places[operation[1]] == len(self.programs[operation[1]])
        return not (operation in ("L", "l") and holders["Ll".index(operation)] is not None)

    def step(self, state, thread):
        places, holders, counter = state
        operation = self.next_of(state, thread)
        holders = list(holders)
        ahead = 1
        if operation == "a":
            counter += 1
        elif operation in ("L", "l"):
            holders["Ll".index(operation)] = thread
        elif operation in ("U", "u"):
            holders["Uu".index(operation)] = None
        elif operation == "try" and holders[0] is None:
            holders[0] = thread
        elif operation == "try":
            ahead = 2
        elif operation == "untry":
            holders[0] = None
        places = tuple(place + ahead * (i == thread) for i, place in enumerate(places))
        return places, tuple(holders), counter

    def declared(self, state):
        places, _, counter = state
        done = []
        for thread, place in enumerate(places[:-1]):
            # The beginning and the end are no letters, and a try is one letter only.
            letters = self.programs[thread][1:-1][: max(place - 1, 0)]
            done.append(len([o for o in letters if o not in ("try", "untry")])
                        + letters.count("untry"))  # fmt: skip
        return len(done).to_bytes(4, "little") + bytes(done) + bytes([counter])

    def reachable(self, preemptions=None):
        """What is declared of all states within the bound."""
        first = (self.first(), self.main, 0)
        seen = {first}
        waiting = [first]
        while waiting:
            state, current, spent = waiting.pop()
            for thread in range(len(self.programs)):
                if not self.enabled(state, thread):
                    continue
                cost = spent + (thread != current and self.enabled(state, current))
                if preemptions is None:
                    cost = 0
                elif cost > preemptions:
                    continue
                following = (self.step(state, thread), thread, cost)
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)
        return {self.declared(state).hex() for state, _, _ in seen}


class States(harness.CommandTest):
    def listed(self, name="states.txt"):
        head, *lines = map(str.split, (self.dir / name).read_text().splitlines())
        self.assertEqual(head, HEAD)
        return [(int(execution), int(step), state) for execution, step, state in lines]

    def visited(self, *options, words, exit=0):
        report = self.search("--list-states", "states.txt", *options, built(PROGRAM), *words, exit=exit)
        lines = self.listed()
        states = [state for _, _, state in lines]
        self.assertEqual(len(set(states)), len(states))
        self.assertEqual(report["coverage"]["states"], len(states))
        self.assertEqual([e for e, _, _ in lines], sorted(e for e, _, _ in lines))
        self.assertTrue(all(0 < e <= report["executions"] for e, _, _ in lines))
        return set(states)

    def test_grid(self):
        """Two threads with n updates each: each has done 0 to n of them."""
        for n in range(4):
            words = ["a" * n] * 2
            states = Model(words).reachable()
            self.assertEqual(len(states), (n + 1) ** 2)
            self.assertEqual(self.visited("--strategy", "dfs", words=words), states)

    def test_everything_is_visited(self):
        for words in (["LaU", "LaU"], ["LalauU", "aa"], ["at", "LaU"], ["a", "a", "a"], ["LU", "t", "a"]):
            with self.subTest(words):
                states = Model(words).reachable()
                self.assertEqual(self.visited("--strategy", "dfs", words=words), states)
                self.assertEqual(self.visited(words=words), states)  # auto: bounds, then reduction

    def test_bounds(self):
        for words in (["aaa", "aaa"], ["LaU", "LaU"], ["at", "LaU"], ["aa", "aa", "a"]):
            for bound in (0, 1, 2):
                with self.subTest(words=words, bound=bound):
                    states = Model(words).reachable(bound)
                    for strategy in ("dfs", "best-first"):
                        options = ["--strategy", strategy, "--preemptions", bound]
                        self.assertEqual(self.visited(*options, words=words), states)

    def test_deadlock(self):
        """A state in which nobody can go on is visited, too."""
        words = ["LluU", "lLUu"]
        states = self.visited("--strategy", "dfs", "--keep-going", words=words, exit=1)
        self.assertEqual(states, Model(words).reachable())

    def test_reduction(self):
        """States between independent steps are left out; those at the end are not."""
        words = ["aLaU", "aLaU"]
        states = self.visited("--reduce", "dpor", words=words)
        self.assertLessEqual(states, Model(words).reachable())
        self.assertIn("02000000" + "0404" + "04", states)
        # One execution is enough, of 2 + 2 steps that change the state.
        words = ["LU", "lu"]
        states = self.visited("--reduce", "dpor", words=words)
        self.assertLess(states, Model(words).reachable())
        self.assertEqual(len(states), 5)

    def test_jobs(self):
        """The list is the same for any number of workers, and for fresh processes."""
        words = ["aLaU", "aLaU"]
        for options in (["--strategy", "dfs"], [], ["--strategy", "random", "--executions", "200"]):
            with self.subTest(options):
                self.visited(*options, words=words)
                lines = self.listed()
                for other in (["--jobs", "2"], ["--jobs", "3"], ["--isolation", "fork"]):
                    self.visited(*options, *other, words=words)
                    self.assertEqual(self.listed(), lines)

    def test_resume(self):
        words = ["aLaU", "aLaU"]
        self.visited("--strategy", "dfs", "--out", "whole", words=words)
        whole = self.listed()
        options = ["--strategy", "dfs", "--executions", "37"]
        report = self.search(*options, built(PROGRAM), *words)  # without the list
        while not report["coverage"]["complete"]:
            report = self.search(*options, "--resume", "--list-states", "states.txt",
                                 built(PROGRAM), *words)  # fmt: skip
            lines = self.listed()
            self.assertEqual(lines, whole[: len(lines)])
            self.assertEqual(report["coverage"]["states"], len(lines))
        self.assertEqual(lines, whole)

    def test_killed_workers(self):
        """What a worker takes with it is sent by the next one."""
        words = ["aaaaaa", "aaaaaa", "a"]
        options = ["--strategy", "dfs", "--executions", "30000", "--jobs", "2"]
        self.visited(*options, words=words)
        whole = self.listed()
        search = self.start("run", *options, "--list-states", "killed.txt", built(PROGRAM), *words)
        for _ in range(2):
            self.soon(lambda: search.workers() or not search.running(), "there are no workers")
            time.sleep(0.05)
            for worker in search.workers():
                harness.kill(worker)
        self.assertEqual(search.wait().exit, 0)
        self.assertEqual(self.listed("killed.txt"), whole)

    def test_none_declared(self):
        report = self.search("--list-states", "states.txt", built("updates.c"), "2", "2")
        self.assertIsNone(report["coverage"]["states"])
        self.assertEqual(self.listed(), [])

    def test_standard_output(self):
        ran = self.heddle("run", "--list-states", "-", built(PROGRAM), "a", "a", exit=0)
        self.assertEqual(len(ran.out.splitlines()), 1 + 4)
        self.assertIn(", 4 distinct states; ", ran.err)
        for other in ("--json", "--list-executions"):
            ran = self.heddle("run", "--list-states", "-", other, "-", built(PROGRAM), exit=2)
            self.assertIn("--list-states states.txt", ran.err)

    def test_full_disk(self):
        ran = self.heddle("run", "--list-states", "/dev/full", built(PROGRAM), "a", exit=0)
        self.assertIn("the list is not complete: No space left on device", ran.out)


if __name__ == "__main__":
    harness.main()

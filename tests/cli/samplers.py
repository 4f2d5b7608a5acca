#!/usr/bin/env python3
"""Samplers have the distributions that they promise.

On programs that are small enough to be enumerated: how often each class of executions comes, by chance over threads
(computed exactly here) and by partial order sampling (against a model of it, made from its paper); and that priorities
by chance hit bugs of a known depth as often as the theorem says. All of it at a fixed seed: a test that passes will pass
again, and the probability that a right sampler fails with another seed is stated beside each.
"""

import functools
import math
import os
import random
import sys
from collections import Counter
from fractions import Fraction

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import built

SAMPLERS = ["random", "pct", "pos", "surw", "rf"]
# Threads of tests/command/small_threads.c. What is noted tells classes apart: `a` is the only operation on variables.
PROGRAMS = [
    ("a0 a0", "a0"),
    ("a0 a1", "a1 a0"),
    ("a0 a1 a0", "a1 a0"),
    ("l0 a0 u0", "l0 a0 u0", "a1"),
    ("l0 a0 u0 a1", "a1 l0 a0 u0"),
    ("a0", "a0 a1", "a1"),
]


class Model:
    """The program's steps, as Heddle has them: main and each thread begin; main creates the others, joins them, and
    exits; a thread ends. A state is where each thread stands and what was noted; which thread holds which mutex and
    what a variable is follow from that."""

    def __init__(self, threads):
        numbers = range(1, len(threads) + 1)
        main = ["begin", *(f"create {i}" for i in numbers), *(f"join {i}" for i in numbers), "exit"]
        self.code = [main, *(["begin", *text.split(), "end"] for text in threads)]
        self.start = ((0,) * len(self.code), ((),) * len(self.code))

    def pending(self, state, thread):
        place = state[0][thread]
        return self.code[thread][place] if place < len(self.code[thread]) else None

    @functools.cache
    def enabled(self, places):
        found = []
        for thread, place in enumerate(places):
            if thread != 0 and places[0] <= self.code[0].index(f"create {thread}"):
                continue  # not created yet
            if place == len(self.code[thread]):
                continue
            operation = self.code[thread][place]
            if operation.startswith("join"):
                other = int(operation.split()[1])
                if places[other] < len(self.code[other]):
                    continue
            if operation[0] == "l" and any(self.holds(places, other, operation[1]) for other in range(len(places))):
                continue
            found.append(thread)
        return found

    def holds(self, places, thread, mutex):
        done = self.code[thread][: places[thread]]
        return done.count(f"l{mutex}") > done.count(f"u{mutex}")

    def step(self, state, thread):
        places, noted = state
        operation = self.code[thread][places[thread]]
        if operation[0] == "a":
            added = sum(self.code[t][:p].count(operation) for t, p in enumerate(places))
            noted = (*noted[:thread], (*noted[thread], added), *noted[thread + 1 :])
        return (*places[:thread], places[thread] + 1, *places[thread + 1 :]), noted

    def ended(self, state):
        return state[0][0] == len(self.code[0])

    def values(self, state):
        return " ".join(str(value) for own in state[1] for value in own)

    def forward(self, split):
        """What arrives at each end: `split` tells what each step takes on of what is at a state."""
        front, ends = {self.start: split(None, None)}, Counter()
        while front:
            following = Counter()
            for state, amount in front.items():
                enabled = self.enabled(state[0])
                for thread in enabled:
                    after = self.step(state, thread)
                    (ends if self.ended(after) else following)[after] += split(amount, enabled)
            front = following
        return ends

    def executions(self):
        return sum(self.forward(lambda amount, _: 1 if amount is None else amount).values())

    def by_chance(self):
        """Each enabled thread is as likely as any other."""
        ends = self.forward(lambda amount, enabled: Fraction(1) if amount is None else amount / len(enabled))
        found = Counter()
        for state, probability in ends.items():
            found[self.values(state)] += probability
        return found

    def most_choices(self):
        """Of one execution: steps before which several threads are enabled."""
        best = {self.start: 0}
        while not all(self.ended(state) for state in best):
            following = {}
            for state, choices in best.items():
                enabled = self.enabled(state[0])
                for thread in enabled:
                    after = self.step(state, thread)
                    following[after] = max(following.get(after, 0), choices + (len(enabled) > 1))
            best = following
        return max(best.values())

    @staticmethod
    def dependent(one, other):
        """On one variable, or on one mutex. Joins and ends need not be looked at: who joins has waited."""
        both_known = one[0] in "alu" and other[0] in "alu"
        return both_known and (one[0] == "a") == (other[0] == "a") and one[1] == other[1]

    def by_partial_order(self, count, seed):
        """Partial order sampling, from its paper: every pending operation has a priority; the highest that is
        enabled goes, and those that depend on it get new ones, as its thread does for its next."""
        chance = random.Random(seed).random
        found = Counter()
        threads = range(len(self.code))
        for _ in range(count):
            state = self.start
            priority = [chance() for _ in threads]
            while not self.ended(state):
                places = state[0]
                chosen = max(self.enabled(places), key=priority.__getitem__)
                operation = self.code[chosen][places[chosen]]
                for other in threads:
                    pending = self.pending(state, other)
                    if other != chosen and pending and self.dependent(operation, pending):
                        priority[other] = chance()
                priority[chosen] = chance()
                state = self.step(state, chosen)
            found[self.values(state)] += 1
        return found


def most_chi_square(freedom):
    """Exceeded with a probability below e^-13.9 = 1e-6 (Laurent, Massart, 2000)."""
    return freedom + 2 * math.sqrt(freedom * 13.9) + 2 * 13.9


class Samplers(harness.CommandTest):
    def listed(self, *words, name="list", **how):
        """The fingerprints, execution by execution."""
        self.search(*words[:-1], "--list-executions", name, *words[-1], **how)
        return [line.split()[0] for line in (self.dir / name).read_text().splitlines()[1:]]

    def program(self, threads):
        return [built("small_threads.c"), *threads]

    def meanings(self, threads, model):
        """Each fingerprint, and what is noted in its executions: one to one. The enumeration agrees in the number of
        executions, and in what can be noted."""
        words = ["run", "--strategy", "dfs", "--jobs", 1, "--fair", "off", "--show-output", "--quiet"]
        ran = self.heddle(*words, "--list-executions", "dfs", *self.program(threads), exit=0)
        fingerprints = [line.split()[0] for line in (self.dir / "dfs").read_text().splitlines()[1:]]
        noted = [line.removeprefix("noted ") for line in ran.out.splitlines() if line.startswith("noted")]
        self.assertEqual(len(fingerprints), model.executions())
        meaning = dict(zip(fingerprints, noted, strict=True))
        self.assertEqual(len(set(zip(fingerprints, noted))), len(meaning))
        self.assertEqual(len(set(meaning.values())), len(meaning))
        self.assertEqual(set(meaning.values()), set(model.by_chance()))
        return meaning

    def sampled(self, strategy, threads, meaning, count, seed):
        words = ["--strategy", strategy, "--fair", "off", "--seed", seed, "--executions", count]
        return Counter(meaning[fingerprint] for fingerprint in self.listed(*words, self.program(threads), exit=0))

    def test_random(self):
        """The distribution is computed. Six comparisons, each wrong with a probability below 1e-6."""
        count = 20_000
        for threads in PROGRAMS:
            with self.subTest(threads):
                model = Model(threads)
                expected = model.by_chance()
                self.assertEqual(sum(expected.values()), 1)
                found = self.sampled("random", threads, self.meanings(threads, model), count, 11)
                chi_square = sum((found[v] - count * p) ** 2 / (count * p) for v, p in expected.items())
                self.assertLess(chi_square, most_chi_square(len(expected) - 1), (expected, found))

    def test_random_is_not_the_same_as_pos(self):
        """The test above can fail: partial order sampling has another distribution."""
        threads = PROGRAMS[2]
        model = Model(threads)
        expected = model.by_chance()
        found = self.sampled("pos", threads, self.meanings(threads, model), 20_000, 11)
        chi_square = sum((found[v] - 20_000 * p) ** 2 / (20_000 * p) for v, p in expected.items())
        self.assertGreater(chi_square, 2 * most_chi_square(len(expected) - 1))

    def test_pos(self):
        """Two samples, one of them of the model: chi-square knows of the error of both. Four comparisons, each wrong
        with a probability below 1e-6."""
        count = 20_000
        for threads in (PROGRAMS[1], PROGRAMS[2], PROGRAMS[4], PROGRAMS[5]):
            with self.subTest(threads):
                model = Model(threads)
                expected = model.by_partial_order(count, 5)
                found = self.sampled("pos", threads, self.meanings(threads, model), count, 12)
                chi_square = 0
                for values in expected.keys() | found.keys():
                    chi_square += (found[values] - expected[values]) ** 2 / (found[values] + expected[values])
                self.assertLess(chi_square, most_chi_square(len(found) - 1), (expected, found))

    def test_pct(self):
        """A bug of depth d, with n threads (main too) and k choice points, is hit with a probability of 1 / (n k^(d-1))
        at least: five standard deviations below that, a right sampler fails with a probability below 3e-7."""
        count = 20_000
        bugs = {
            # The second thread reads before the first one writes.
            1: ("s01", "b00"),
            # … reads between the two.
            2: ("s01 s02", "b01"),
            # The second goes on when the first has written, and is stopped between its own two.
            3: ("s01 b11", "g01 s11 s12"),
        }
        for depth, threads in bugs.items():
            with self.subTest(depth):
                n, k = len(threads) + 1, Model(threads).most_choices()
                options = ["--strategy", "pct", "--pct-depth", depth, "--fair", "off", "--keep-going"]
                report = self.search(*options, "--executions", count, *self.program(threads), exit=1)
                self.assertEqual(report["executions"], count)
                least = 1 / (n * k ** (depth - 1))
                error = 5 * math.sqrt(least * (1 - least) / count)
                self.assertGreaterEqual(report["failing_executions"] / count, least - error)

    def test_pct_of_a_smaller_depth(self):
        """What needs two changes of priorities is not found without one: the depth is what it says."""
        options = ["--strategy", "pct", "--pct-depth", 1, "--fair", "off", "--executions", 5_000]
        self.search(*options, *self.program(("s01 s02", "b01")), exit=0)

    def test_repeatable(self):
        program = [built("updates.c"), "3", "2"]
        for sampler in SAMPLERS:
            with self.subTest(sampler):
                words = ["--strategy", sampler, "--executions", 600, "--jobs"]
                first = self.listed(*words, 1, "--seed", 7, program, exit=0)
                self.assertEqual(len(first), 600)
                self.assertEqual(self.listed(*words, 1, "--seed", 7, program, exit=0), first)
                self.assertEqual(self.listed(*words, 2, "--seed", 7, program, exit=0), first)
                self.assertNotEqual(self.listed(*words, 1, "--seed", 8, program, exit=0), first)

    def test_options_of_other_strategies_are_refused(self):
        refused = {
            ("--strategy", "dfs", "--samplers", "rf"): "--samplers goes with --strategy auto",
            ("--samplers", "rf", "--preemptions", "2"): "--samplers does not go with a bound",
            ("--strategy", "pos", "--pct-depth", "4"): "--pct-depth goes with --strategy pct",
        }
        for options, words in refused.items():
            with self.subTest(options):
                self.assertIn(words, self.heddle("run", *options, *self.program(("s01", "b01")), exit=2).err)
        self.search("--strategy", "dfs", "--samplers", "none", *self.program(("s01", "s02")), exit=0)

    def test_resumed(self):
        """As if it had never stopped; also where the sampler learns from what it has run."""
        program = [built("updates.c"), "3", "2"]
        for sampler in SAMPLERS:
            with self.subTest(sampler):
                words = ["--strategy", sampler, "--seed", 7, "--executions"]
                whole = self.listed(*words, 600, program, exit=0)
                pieces = self.listed(*words, 5, "--out", sampler, program, exit=0)
                pieces += self.listed(*words, 250, "--out", sampler, "--resume", program, exit=0)
                pieces += self.listed(*words, 345, "--out", sampler, "--resume", program, exit=0)
                self.assertEqual(pieces, whole)


if __name__ == "__main__":
    harness.main()

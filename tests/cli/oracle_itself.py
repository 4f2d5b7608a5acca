#!/usr/bin/env python3
"""The oracle against the long way round: every execution listed, equivalence by swapping
neighbours.

The enumerator adds numbers up over states, and counts classes by normal forms. Both are checked
here on programs that are small enough to list all their executions.
"""

import os
import sys
import unittest
from collections import Counter

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "oracle"))
import classics
import enumerator
import equivalence
import generate
import machine
import model

FEW = 1500


def programs():
    for program in classics.programs() + generate.programs(seed=3, count=60):
        if enumerator.histogram(machine.Machine(program), None).total() <= FEW:
            yield program


def commute(one, other):
    _, threads, objects = one
    _, other_threads, other_objects = other
    if set(threads) & set(other_threads):
        return False
    return not any(
        o == other_o and (changes or other_changes)
        for o, changes in objects
        for other_o, other_changes in other_objects
    )


def touched_by(model_machine, steps):
    """What each step of an execution touches."""
    state, found = model_machine.start(), []
    for thread, outcome in steps:
        found.append(equivalence.touched(model_machine, state, thread, outcome))
        state = model_machine.step(state, thread, outcome)
    return found


def classes_by_swapping(model_machine):
    every = enumerator.listing(model_machine, None)
    executions = [steps for steps, ending in every if ending.kind != "pruned"]
    leader = {steps: steps for steps in executions}

    def find(steps):
        while leader[steps] != steps:
            leader[steps] = steps = leader[leader[steps]]
        return steps

    for steps in executions:
        touched = touched_by(model_machine, steps)
        for i in range(len(steps) - 1):
            if commute(touched[i], touched[i + 1]):
                swapped = steps[:i] + (steps[i + 1], steps[i]) + steps[i + 2 :]
                # The exit ends everything: nothing can be swapped with it.
                if swapped in leader:
                    leader[find(swapped)] = find(steps)
    return sum(find(steps) == steps for steps in executions)


class Itself(unittest.TestCase):
    def test_numbers(self):
        for program in programs():
            for bound in (None, 0, 1, 2):
                with self.subTest(program.name, bound=bound, program=str(program)):
                    model_machine = machine.Machine(program)
                    executions = list(enumerator.listing(model_machine, bound))
                    self.assertEqual(len({steps for steps, _ in executions}), len(executions))
                    endings = Counter(ending for _, ending in executions)
                    self.assertEqual(endings, enumerator.histogram(model_machine, bound))

    def test_classes(self):
        for program in programs():
            with self.subTest(program.name, program=str(program)):
                model_machine = machine.Machine(program)
                expected = classes_by_swapping(model_machine)
                self.assertEqual(equivalence.classes(model_machine, None), expected)

    def test_notation(self):
        for program in classics.programs():
            self.assertEqual(model.program(program.name, str(program)), program)
        bad_words = ["main: lode 0", "main: load", "main: if 1 load 0", "main: load 0 }"]
        bad_lines = ["", "1: load 0", "main: leave; load 0", "main: create 1\n1: leave"]
        for bad in bad_words + bad_lines:
            with self.subTest(bad), self.assertRaises(model.BadProgram):
                model.program("bad", bad)


if __name__ == "__main__":
    unittest.main()

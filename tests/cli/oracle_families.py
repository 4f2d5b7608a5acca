#!/usr/bin/env python3
"""Families of programs with a closed formula: formula, enumerator and heddle say the same
number."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "oracle"))
import compare
import enumerator
import equivalence
import families
import machine


class Families(unittest.TestCase):
    def test_formula_and_enumerator(self):
        for member in families.all_members():
            for bound, count in member.counts.items():
                with self.subTest(member.program.name, bound=bound, program=str(member.program)):
                    endings = enumerator.histogram(machine.Machine(member.program), bound)
                    self.assertEqual(endings.total(), count)
            if member.different is not None:
                with self.subTest(member.program.name, program=str(member.program)):
                    classes = equivalence.classes(machine.Machine(member.program), None)
                    self.assertEqual(classes, member.different)

    def test_enumerator_and_heddle(self):
        self.assertTrue(compare.check([member.program for member in families.all_members()]))


if __name__ == "__main__":
    unittest.main()

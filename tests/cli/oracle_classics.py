#!/usr/bin/env python3
"""Well-known small programs: heddle's searches against the enumerator of tests/oracle."""

import os
import sys
import unittest

for folder in ("", "oracle"):
    sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", folder))
import classics
import compare
import enumerator
import machine
import processes


# For the ways in which all is searched once more: without a bound, and with one.
FEW_BOUNDS = (None, 1)


def executions(program):
    return enumerator.histogram(machine.Machine(program), None).total()


class Classics(unittest.TestCase):
    def test_known_outcomes(self):
        by_name = {p.name: p for p in classics.programs()}
        for expected, table in [(False, classics.NEVER), (True, classics.ALWAYS)]:
            for name, values in table.items():
                endings = enumerator.histogram(machine.Machine(by_name[name]), None)
                occurring = {ending.values for ending in endings}
                for value in values:
                    with self.subTest(name, value=value):
                        self.assertEqual(value in occurring, expected)

    def test_gcc(self):
        self.assertTrue(compare.check(classics.programs()))

    @unittest.skipUnless(processes.ALL_SAMPLES, "./dev test --all")
    def test_clang(self):
        self.assertTrue(compare.check(classics.programs(), "clang++", bounds=FEW_BOUNDS))

    @unittest.skipUnless(processes.ALL_SAMPLES, "./dev test --all")
    def test_two_workers(self):
        self.assertTrue(compare.check(classics.programs(), options=["--jobs", "2"], bounds=FEW_BOUNDS))

    def test_a_process_for_each_execution(self):
        def is_small(program):
            return executions(program) <= 200

        how = {"options": ["--isolation", "fork"], "only": is_small, "bounds": FEW_BOUNDS}
        self.assertTrue(compare.check(classics.programs(), **how))


if __name__ == "__main__":
    unittest.main()

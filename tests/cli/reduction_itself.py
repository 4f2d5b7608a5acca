#!/usr/bin/env python3
"""The comparison of tests/oracle/reduction_compare.py notices what it is made for."""

import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "oracle"))
import compare
import model
import reduction_compare
import reduction_generate
import reduction_minimise
from reduction_compare import Broken, Found

DONE = ("finished", "0")
LINES = [("a", "1", *DONE), ("a", "2", *DONE), ("b", "3", *DONE), ("c", "4", "deadlock", "7")]
FINALS = ["x", "x", "y"]


def found(lines=LINES, finals=FINALS, **report):
    whole = [line for line in lines if line[2] not in ("pruned", "redundant")]
    failing = [line for line in whole if line[2] != "finished"]
    summary = {
        "executions": len(lines),
        "pruned": len(lines) - len(whole),
        "distinct": len({line[0] for line in whole}),
        "failing_executions": len(failing),
        "failures": [{"kind": line[2]} for line in failing],
        "verdict": "failed" if failing else "passed",
        "coverage": {"complete": True},
    }
    return Found({**summary, **report}, lines, finals)


class Itself(unittest.TestCase):
    def test_sets(self):
        plain = found()
        self.assertEqual(reduction_compare.difference(plain, found()), [])
        fewer = found([LINES[0], LINES[2], LINES[3], ("d", "9", "redundant", "0")], ["x", "y"])
        self.assertEqual(reduction_compare.difference(plain, fewer), [])
        missing = {
            "fingerprints": found(LINES[1:2] + LINES[3:], ["x", "y"]),
            "final values": found(finals=["x", "x", "x"]),
            "failures": found(LINES[:3] + [("c", "4", "deadlock", "8")]),
        }
        for name, other in missing.items():
            for one, another in [(plain, other), (other, plain)]:
                problems = reduction_compare.difference(one, another)
                self.assertTrue(problems, name)
                self.assertTrue(all(problem.startswith(name) for problem in problems), problems)

    def test_bounded(self):
        plain = found()
        self.assertEqual(reduction_compare.bounded_difference(plain, found(LINES[::-1])), [])
        for other in [LINES[1:], LINES + LINES[:1], LINES[1:] + [("a", "5", *DONE)]]:
            self.assertTrue(reduction_compare.bounded_difference(plain, found(other)))

    def test_summary(self):
        reduction_compare.check_summary(found())
        wrong = {
            "executions": 5, "pruned": 1, "distinct": 4, "failing_executions": 0, "failures": [],
            "verdict": "passed", "coverage": {"complete": False},
        }  # fmt: skip
        for field, value in wrong.items():
            with self.subTest(field), self.assertRaises(Broken):
                reduction_compare.check_summary(found(**{field: value}))
        with self.assertRaises(Broken):
            reduction_compare.check_summary(found(finals=["x"]))

    def test_plain(self):
        reduction_compare.check_plain(found())
        for lines, finals in [
            (LINES + LINES[:1], FINALS),  # twice
            (LINES, ["x", "y", "y"]),  # a stands for x and for y
            (LINES + [("a", "5", "deadlock", "7")], FINALS),
        ]:
            with self.assertRaises(Broken):
                reduction_compare.check_plain(found(lines, finals))

    def test_a_search_that_covers_less(self):
        """Without preemptions it misses fingerprints, final values and failures."""
        programs = [
            model.program("values", "main: create 1; add 0 1; add 0 1; join 1\n1: exchange 0 0"),
            model.program("failures", """
                main: create 1; create 2; join 1; join 2
                1: lock 0; lock 1; unlock 1; unlock 0
                2: lock 1; lock 0; unlock 0; unlock 1"""),
        ]  # fmt: skip
        with tempfile.TemporaryDirectory() as directory:
            binary = compare.build(programs, pathlib.Path(directory), values_at_exit=True)
            names = []
            for number in range(len(programs)):
                plain = reduction_compare.search(binary, number, reduction_compare.PLAIN)
                less = (*reduction_compare.PLAIN, "--preemptions", "0")
                other = reduction_compare.search(binary, number, less)
                problems = reduction_compare.difference(plain, other)
                names.append({problem.partition(":")[0] for problem in problems})
        self.assertEqual(names[0], {"fingerprints", "final values"})
        self.assertEqual(names[1], {"fingerprints", "failures"})

    def test_generator(self):
        kinds = set()
        for seed in range(600):
            program = reduction_generate.program(seed)
            self.assertEqual(str(program), str(reduction_generate.program(seed)))
            kinds |= {word for word in str(program).split() if word in model.ARGUMENTS}
            kinds |= {word[:-1] for word in str(program).split() if word.endswith(";")}
        self.assertEqual(set(model.ARGUMENTS) - kinds, set())

    def test_candidates(self):
        program = model.program("one", "main: create 1; if 0 { load 0; add 1 1 }; join 1\n1: store 0 1")
        texts = set(map(str, reduction_minimise.programs(program)))
        for text in [
            "main: if 0 { load 0; add 1 1 }\n1: ",
            "main: create 1; join 1\n1: store 0 1",
            "main: create 1; load 0; add 1 1; join 1\n1: store 0 1",
            "main: create 1; if 0 { load 0 }; join 1\n1: store 0 1",
            "main: create 1; if 0 { load 0; add 1 1 }; join 1\n1: ",
        ]:
            self.assertIn(text, texts)


if __name__ == "__main__":
    unittest.main()

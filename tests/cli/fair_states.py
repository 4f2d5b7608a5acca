#!/usr/bin/env python3
"""Which states a fair search visits: the programs of bench/fair that declare them, against models in Python (fair_models.py).

A search with the fair scheduler visits exactly the states that Algorithm 1 leads to, and so at least all that there are; without it
the number of executions that have no end grows with the depth, and is as many as the model has. `./dev bench fair` prints the whole
tables.
"""

import os
import pathlib
import sys
from collections import Counter

SOURCE = os.environ["HEDDLE_SOURCE_DIR"]
sys.path[:0] = [os.path.join(SOURCE, "tests", folder) for folder in ("command", "oracle")]
import enumerator
import fair
import fair_models
import harness
import machine
import model
from harness import built

BENCH = pathlib.Path(SOURCE) / "bench" / "fair"

FIGURE_1 = """
    main: create 1; lock 1; trylock 0; while 0 { unlock 1; lock 1; trylock 0 }; unlock 1; unlock 0; join 1
    1: lock 0; trylock 1; while 0 { unlock 0; lock 0; trylock 1 }; unlock 0; unlock 1"""


def paths(model, depth):
    """The executions of at most so many steps: those that have ended, and those that have not."""
    front, ended = Counter([model.start()]), 0
    for _ in range(depth):
        following = Counter()
        for state, count in front.items():
            for _, after in fair.successors(model, state):
                if hasattr(after, "kind"):
                    ended += count
                else:
                    following[after] += count
        front = following
    return ended, front.total()


def from_hex(text):
    return tuple(byte - 256 if byte > 127 else byte for byte in bytes.fromhex(text))


class FairStates(harness.CommandTest):
    def visited(self, program, size, bound, *options):
        words = ["--strategy", "dfs", "--preemptions", "none" if bound is None else str(bound), *options]
        report = self.search(*words, "--list-states", "states", program, str(size))
        head, *lines = (self.dir / "states").read_text().splitlines()
        self.assertEqual(head.split()[-1], "state")
        states = {from_hex(line.split()[-1]) for line in lines}
        self.assertEqual(len(states), report["coverage"]["states"])
        return states, report

    def check(self, name, model, size, bounds):
        program, fair_model = built(BENCH / f"{name}.cc"), fair.FairMachine(model)
        for bound in bounds:
            with self.subTest(name, size=size, bound=bound):
                states, report = self.visited(program, size, bound, "--fair", "1")
                self.assertEqual(report["verdict"], "passed")
                self.assertEqual(states, fair_models.declared_states(model, fair.reachable(fair_model, bound)))
                self.assertLessEqual(fair_models.declared_states(model, fair.reachable(model, bound)), states)
                self.assertEqual(report["executions"], enumerator.histogram(fair_model, bound).total())

    def test_two_philosophers(self):
        self.check("philosophers", fair_models.Philosophers(2), 2, [1, 2, 3, None])

    def test_three_philosophers(self):
        self.check("philosophers", fair_models.Philosophers(3), 3, [1, 2])

    def test_one_thief(self):
        self.check("work_stealing", fair_models.WorkStealing(1), 1, [1, 2, 3])

    def test_two_thieves(self):
        self.check("work_stealing", fair_models.WorkStealing(2), 2, [1])

    def test_without_fairness(self):
        """Figure 2: executions that have no end, by the depth."""
        program, model_machine = built(BENCH / "figure1.cc"), machine.Machine(model.program("figure 1", FIGURE_1))
        for depth in [12, 16, 20]:
            report = self.search("--strategy", "dfs", "--fair", "off", "--max-steps", str(depth), program)
            self.assertEqual((report["executions"] - report["cut"], report["cut"]), paths(model_machine, depth))


if __name__ == "__main__":
    harness.main()

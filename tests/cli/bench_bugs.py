#!/usr/bin/env python3
"""The programs of bench/bugs: their first lines are as its README says, and a search finds in some of them what these say.

`./dev bench bugs` searches all of them. The budgets count executions, so that a loaded machine makes no difference.
"""

import os
import pathlib
import subprocess
import sys

SOURCE = os.environ["HEDDLE_SOURCE_DIR"]
sys.path.insert(0, os.path.join(SOURCE, "tests", "command"))
sys.path.insert(0, os.path.join(SOURCE, "bench", "bugs"))
sys.path.insert(0, os.path.join(SOURCE, "bench", "backtracking"))
import harness
import paper
import suite
from harness import built

BENCH = pathlib.Path(SOURCE) / "bench"


class BenchBugs(harness.CommandTest):
    def kind(self, program, strategy, executions):
        binary = built(program.source, *program.parameters)
        report = self.search("--strategy", strategy, "--executions", executions, *program.options, binary)
        return [failure["kind"] for failure in report["failures"]]

    def test_found(self):
        """By chance after a few dozen executions at most, by auto after a few hundred."""
        programs = {program.name: program for program in suite.programs()}
        for name in ("reorder-3", "twostage-3", "din_phil-3", "rcu", "wsq-early-head", "bounded_buffer_if"):
            for strategy, executions in (("random", 20_000), ("auto", 80_000)):
                with self.subTest(program=name, strategy=strategy):
                    self.assertEqual(self.kind(programs[name], strategy, executions), [programs[name].kind])

    def test_heads(self):
        programs = suite.programs()
        self.assertGreaterEqual(len({program.source for program in programs}), 40)
        self.assertEqual({program.kind for program in programs}, set(suite.KINDS))

    def test_table(self):
        """What the benchmark prints: the bug is there, in all of its seeds."""
        command = [sys.executable, BENCH / "bugs.py", "--filter", "^deadlock01$", "--seeds", "2", "--seconds", str(harness.PATIENCE)]
        ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertRegex(ran.stdout, r"\n  deadlock01 +2/2 +[0-9.]+ +2/2 +[0-9.]+\n")

    def test_backtracking(self):
        """The programs of the paper on randomised backtracking, by name."""
        heads = {path: path.read_text() for path in (BENCH / "backtracking").glob("*.cc")}
        names = {name for name in paper.THREADS for head in heads.values() if f"// program: {name}\n" in head}
        self.assertEqual((names, len(heads)), (set(paper.THREADS), 7))
        program = built(BENCH / "backtracking" / "rax_extended.cc")
        report = self.search("--strategy", "random", "--executions", 20_000, program)
        self.assertEqual([failure["kind"] for failure in report["failures"]], ["assertion"])


if __name__ == "__main__":
    harness.main()

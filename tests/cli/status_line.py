#!/usr/bin/env python3
"""On a terminal a line shows how the search goes, and is gone at the end; elsewhere there is none."""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import built

ERASE = "\r\x1b[K"
REMAIN = r"(?:about [0-9,]+ \([0-9,]+ to [0-9,]+\) remain  [0-9,]+ waiting|at least [0-9,]+ remain)"
LINE = (
    r"[0-9,]+ executions  [0-9,]+/s  (?:no|at most [12]|any number of) preemptions?  "
    rf"{REMAIN}  [0-9,]+ steps deep  [0-9]+ failures?"
)


class StatusLine(harness.CommandTest):
    def screen(self, shown):
        """What is left to be seen, by a terminal that knows only what is used here."""
        lines = [""]
        for part in re.split(r"(\r\n|\r\x1b\[K)", shown):
            if part == "\r\n":
                lines.append("")
            elif part == ERASE:
                lines[-1] = ""
            else:
                lines[-1] += re.sub(r"\x1b\[[0-9;]*m", "", part)
        return "\n".join(lines)

    def search(self, *options, **how):
        program = [built("updates.c"), "4", "8"]
        words = ["run", "--preemptions", "none", "--seconds", "1", *options, *program]
        return self.on_terminal(*words, **how)

    def test_shown_and_erased(self):
        shown = self.search()
        lines = re.findall(re.escape(ERASE) + LINE, shown)
        self.assertGreaterEqual(len(lines), 3, repr(shown))
        numbers = [int(re.search("[0-9,]+ exec", line)[0][:-5].replace(",", "")) for line in lines]
        self.assertEqual(numbers, sorted(numbers))
        self.assertRegex(self.screen(shown), r"^(?:advice: .*\n){1,3}incomplete: budget exhausted \(--seconds 1\) after .*\n$")
        self.assertEqual(self.code, 0)

    def test_narrow_terminal(self):
        shown = self.search(columns=30)
        lines = re.findall(re.escape(ERASE) + "([^\r\n]+)(?=\r\x1b)", shown)
        self.assertGreater(len(lines), 2)
        self.assertLess(max(map(len, lines)), 30)
        self.assertNotRegex(self.screen(shown), "steps deep")

    def test_parts_are_left_out(self):
        """What does not fit goes, as a whole; failures stay."""
        shown = self.search(columns=80)
        lines = re.findall(re.escape(ERASE) + "([^\r\n]+)(?=\r\x1b)", shown)
        self.assertGreater(len(lines), 2)
        for line in lines:
            self.assertLess(len(line), 80)
            self.assertRegex(line, "^[0-9,]+ executions  [0-9,]+/s  .*  [0-9]+ failures?$")

    def test_estimate(self):
        """Within a bound it is known what remains."""
        shown = self.on_terminal(
            "run", "--preemptions", "2", "--seconds", "1", built("updates.c"), "6", "20"
        )
        self.assertRegex(shown, r"preemptions?  about [0-9,]+ \([0-9,]+ to [0-9,]+\) remain  [0-9,]+ waiting")

    def test_estimate_on_a_usual_terminal(self):
        shown = self.on_terminal(
            "run", "--preemptions", "2", "--seconds", "1", built("updates.c"), "6", "20", columns=80
        )
        lines = re.findall(re.escape(ERASE) + "([^\r\n]+)(?=\r\x1b)", shown)
        self.assertGreater(len(lines), 2)
        for line in lines:
            self.assertRegex(line, r"  (?:about|at least) [0-9,]+ remain  0 failures$")

    def test_not_wanted(self):
        for how in [{"env": {"TERM": "dumb"}}, {"stderr": subprocess.DEVNULL}]:
            self.assertNotIn("steps deep", self.search(**how))
        self.assertEqual(self.search("--quiet"), "")

    def test_standard_output_elsewhere(self):
        """The line belongs to standard error, so that a report can be kept in a file."""
        with open(self.dir / "report", "w") as report:
            shown = self.search(stdout=report)
        self.assertRegex(shown, LINE)
        self.assertEqual(self.screen(shown), "")
        self.assertRegex((self.dir / "report").read_text(), r"(?m)^incomplete: ")
        self.assertNotIn("\x1b", (self.dir / "report").read_text())

    def test_failures(self):
        """Counted in the line; and the line does not mix with the report."""
        words = ["--seconds", "2", "--keep-going", built("updates.c"), "4", "6", "split"]
        shown = self.on_terminal("run", "--preemptions", "none", *words)
        self.assertRegex(shown, "steps deep  [1-9][0-9]* failure")
        self.assertNotIn("steps deep", self.screen(shown))
        self.assertEqual(self.code, 1)

    def test_several_searches(self):
        """heddle compare: the line says which one it is."""
        words = ["--strategies", "dfs,random", "--seeds", "1", "--seed", "7", "--seconds", "0.7"]
        shown = self.on_terminal("compare", *words, built("updates.c"), "4", "8")
        self.assertRegex(shown, re.escape(ERASE) + "run 1 of 2: dfs  [0-9,]+ executions  [0-9,]+/s  ")
        self.assertRegex(shown, re.escape(ERASE) + "run 2 of 2: random, seed 7  [0-9,]+ executions  ")
        self.assertNotIn("run 2 of 2", self.screen(shown))
        self.assertRegex(self.screen(shown), "^ +executions to the failure ")

    def test_colours(self):
        words = ["run", built("updates.c"), "2", "2", "split"]
        self.assertIn("\x1b[", self.on_terminal(*words))
        self.assertNotIn("\x1b[", self.on_terminal(*words, env={"NO_COLOR": "1"}))
        self.assertNotIn("\x1b[", self.heddle(*words, env={"TERM": "xterm"}, exit=1).out)


if __name__ == "__main__":
    harness.main()

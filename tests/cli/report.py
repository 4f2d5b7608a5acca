#!/usr/bin/env python3
"""The report of a failure: what matters is in it whatever the length of the execution; it fits the terminal; and it
comes out sensibly where the terminal, the pipe, the directory or the path are not as usual."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import built

SCHEDULE = "heddle-out/noise-1.heddle"


def table(report):
    """The rows of the steps."""
    rows = re.search(r"(?m)^.*steps(?: \(.*\))?:\n((?:.+\n)+)", report)[1].splitlines()
    return [row for row in rows if not row.startswith("  step ")]


class Report(harness.CommandTest):
    def found(self, *options):
        return self.heddle("run", *options, built("noise.cc"), exit=1)

    def shown_on_terminal(self, columns, **env):
        """By heddle show, on a terminal of so many columns; 0: one that does not know."""
        return self.on_terminal("show", SCHEDULE, columns=columns, env=env).replace("\r\n", "\n")

    def test_what_matters(self):
        report = self.found().out
        rows = table(report)
        at = next(i for i, row in enumerate(rows) if "T2 preempts T1, before: atomic store counter" in row)
        self.assertRegex(rows[at - 1], r"^ +\d+ +atomic load counter: 0  ")
        self.assertRegex(rows[at + 1], r"^ +\d+ +thread begins")
        self.assertRegex(rows[0], r"^ +\.\.\.  \d+ steps of main: set-up, noise.cc:17 to 18$")
        self.assertRegex(report, r"(?m)^ +\.\.\.  \d+ steps of main on mutex, noise.cc:21$")
        self.assertRegex(rows[-2], r"atomic load counter: 1  +noise.cc:22$")
        self.assertLess(len(report.splitlines()), 60)
        # The line is cut around its operation.
        wide = self.heddle("show", "--width", "160", SCHEDULE, exit=0).out
        self.assertRegex(wide, r"noise.cc:21  \.\.\..*lock_guard guard\(mutex\); \+\+sum")

    def test_without_debug_information(self):
        NOTE = r"(?m)^note: noise was compiled without -g, so there are no source lines"
        self.assertNotRegex(self.found().out, NOTE)
        self.assertRegex(self.heddle("run", built("noise.cc", "-g0"), exit=1).out, NOTE)

    def test_steps(self):
        steps = int(re.search(r"of ([\d,]+) steps \(--steps all", self.found().out)[1].replace(",", ""))
        for verb in ("show", "replay"):
            shown = self.heddle(verb, "--steps", "all", SCHEDULE).out
            self.assertIn(f"All {steps} steps:\n", shown)
            self.assertEqual(len([row for row in table(shown) if row.split()[0].isdigit()]), steps)
            self.assertNotIn("...  ", shown)
            self.assertIn(f"\n50 of {steps} steps (", self.heddle(verb, "--steps", "50", SCHEDULE).out)
        self.assertIn("T2 preempts T1", self.heddle("show", "--steps", "1", SCHEDULE).out)
        self.assertIn("All ", self.heddle("run", "--steps", "all", built("noise.cc"), exit=1).out)

    def test_width(self):
        self.found()
        for width in (60, 80, 100):
            shown = self.heddle("show", "--width", width, SCHEDULE, exit=0).out
            self.assertLessEqual(max(map(len, table(shown))), width, shown)
            self.assertIn("T2 preempts T1", shown)

    def test_terminal(self):
        self.found()
        for columns, most in ((80, 80), (64, 64), (0, 80), (20, 60)):
            shown = self.shown_on_terminal(columns)
            self.assertIn("\x1b[", shown)
            plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
            self.assertLessEqual(max(map(len, table(plain))), most, plain)
        for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\x1b", self.shown_on_terminal(80, **env))

    def test_trace(self):
        self.found("--json", "with.json", "--trace")
        [failure] = json.loads((self.dir / "with.json").read_text())["failures"]
        trace = failure["trace"]
        self.assertEqual([step["step"] for step in trace], list(range(failure["steps"])))
        self.assertEqual(sum(step["preemption"] for step in trace), failure["preemptions"])
        self.assertEqual(trace[-1]["location"], failure["location"])
        self.assertEqual((trace[-1]["operation"], trace[-1]["object"], trace[-1]["before"]), ("atomic load", "counter", 1))
        replayed = self.heddle("replay", "--json", "-", "--trace", SCHEDULE).json["failures"][0]
        self.assertEqual(replayed["trace"], trace)
        self.assertIsNone(self.heddle("replay", "--json", "-", SCHEDULE).json["failures"][0]["trace"])
        # What the text shows is in it.
        numbers = [int(row.split()[0]) for row in table(self.heddle("show", SCHEDULE).out) if row.split()[0].isdigit()]
        self.assertTrue(set(numbers) <= set(range(len(trace))) and len(trace) - 1 in numbers)

    def test_bad_values(self):
        for words, says in (
            (["--steps", "0"], "--steps: '0' is not a whole number from 1 to"),
            (["--steps", "few"], "type e.g. --steps 50, or --steps all"),
            (["--width", "10"], "--width: '10' is not a whole number from 60 to 10000; type e.g. --width 80"),
        ):
            ran = self.heddle("show", *words, SCHEDULE, exit=2)
            self.assertIn(says, ran.err)
        ran = self.heddle("run", "--trace", built("noise.cc"), exit=2)
        self.assertIn("--trace is for the JSON; type e.g. --trace --json result.json", ran.err)

    def test_broken_pipe(self):
        """Nobody reads the report: it is saved all the same, and nobody talks of internal errors."""
        ours, theirs = os.pipe()
        os.close(ours)
        ran = subprocess.run(self.command("run", built("noise.cc")), cwd=self.dir, stdout=theirs, stderr=subprocess.PIPE)
        os.close(theirs)
        self.assertIn(ran.returncode, (1, -signal.SIGPIPE))
        self.assertEqual(ran.stderr, b"")
        self.assertIn("FAILED  assertion", self.heddle("show", SCHEDULE, exit=0).out)

    def test_directory_that_cannot_be_written(self):
        (self.dir / "file").write_text("")
        ran = self.heddle("run", "--out", "file/out", built("noise.cc"))
        self.assertEqual(ran.exit, 1, ran)
        self.assertIn("FAILED  assertion", ran.out)
        self.assertIn("The schedule was not saved.", ran.out)
        self.assertNotIn("internal error", ran.out + ran.err)

    def test_path_that_is_no_utf8(self):
        folder = os.fsencode(self.dir) + b"/caf\xe9"
        os.mkdir(folder)
        shutil.copy(built("noise.cc"), folder + b"/noise")
        run = lambda *words: subprocess.run([*self.command(), *words], cwd=folder, capture_output=True)
        ran = run("run", "--json", "r.json", "./noise")
        self.assertEqual(ran.returncode, 1, ran)
        with open(folder + b"/r.json") as file:
            self.assertEqual(json.load(file)["failures"][0]["kind"], "assertion")
        self.assertEqual(run("replay", SCHEDULE).returncode, 1)
        page = run("show", "--html", "-", SCHEDULE)
        self.assertEqual(page.returncode, 0, page.stderr)
        page.stdout.decode("utf-8")
        # By its whole name, as it would be pasted.
        report = run("run", "--out", folder + b"/out", "./noise").stdout
        command = re.search(rb"\n  (heddle replay .*)\n", report)[1]
        again = subprocess.run([b"bash", b"-c", command], cwd="/", capture_output=True)
        self.assertEqual(again.returncode, 1, again)


if __name__ == "__main__":
    harness.main()

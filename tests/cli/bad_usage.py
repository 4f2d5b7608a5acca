#!/usr/bin/env python3
"""Mistakes on the command line: exit code 2, and one line that says what to type instead."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import built

# Option, bad values. Every option that takes a value stands here: test_all_options_are_here.
BAD_VALUES = {
    "strategy": ["", "dsf", "DFS", "all"],
    "preemptions": ["", "-1", "two", "1.5", "None", "65535", "99999999999999999999"],
    "depth": ["", "-1", "x", "100000001"],
    "reduce": ["", "nothing", "DPOR"],
    "sleep-sets": ["", "yes", "1"],
    "retries": ["", "yes", "1"],
    "fair": ["", "0", "-1", "maybe", "1.5", "ON"],
    "good-samaritan": ["", "on", "fail", "Warn"],
    "livelock-after": ["", "0", "-1", "x", "100000001"],
    "yield-after": ["", "0", "-1", "x", "100000001"],
    "spin-rounds": ["", "0", "1", "-1", "x"],
    "races": ["", "fails", "no", "FAIL"],
    "delays": ["", "-1", "x", "65536", "none"],
    "order": ["", ",", "pb,", ",pb", "pb,,rand", "pb,pb", "bp", "PB", "pb rand"],
    "racing": ["x", "12,", "1,,2", "0x1"],
    "accesses": ["", "none", "syncs", "ALL"],
    "samplers": ["", "rf,", "rf,rf", "dfs", "off"],
    "pct-depth": ["", "0", "-1", "256", "x"],
    "match": ["", "yes", "ON", "states"],
    "threshold": ["", "many", "-1", "5,", "1000001"],
    "jump": ["", "far", "Luby", "2"],
    "ratio": ["", "1.5", "-0.1", "half", "1-d/0", "d/20"],
    "backtrack-order": ["", "any", "dfs"],
    "first": ["", "no/such/directory"],
    "explain": ["", "maybe", "ON"],
    "through": ["", ",", "a.cc:3,", "a.cc:x", "a.cc:0", "push@x"],
    "toward": ["", "home", "prefer", "prefer:x", "Distance"],
    "backtracks": ["", "0", "-1", "x"],
    "seed": ["", "-1", "x", "18446744073709551616", "0x10", " 1", "1 "],
    "executions": ["", "0", "-5", "1e6", "many", "18446744073709551616"],
    "seconds": ["", "0", "-1", "inf", "nan", "1s", "1,5", "soon"],
    "jobs": ["", "0", "65", "-1", "all"],
    "isolation": ["", "forks", "snap", "process"],
    "hang-after": ["", "0", "-3", "never"],
    "max-steps": ["", "0", "100000001", "x"],
    "heap": ["", "0", "2G", "1048577"],
    "memory": ["", "0", "1024", "512", "1023K", "G", "-1G", "2g", "2GB", "1.5G", "9999999T"],
    "program": [],
    "steps": ["", "0", "x", "-1", "ALL"],
    "width": ["", "59", "x", "10001"],
    "times": ["", "0", "x", "1000000001"],
    "out": [""],
    "focus-method": ["", ",", "push,,pop"],
    "focus-var": ["", "x,"],
    "list-executions": ["", "no/such/directory/list.txt", "."],
    "list-states": ["", "no/such/directory/list.txt", "."],
    "suppress": ["", "no/such/file", "."],
    "json": ["", "no/such/directory/file.json", "."],
    "junit": ["", "no/such/directory/file.xml", "."],
    "sarif": ["", "no/such/directory/file.sarif", "."],
    "annotations": ["", "gitlab", "GitHub"],
    "strategies": ["", "dfs,", ",", "dfs,dfs", "dsf", "DFS", "all"],
    "seeds": ["", "0", "-1", "1000", "x"],
    "plot": ["", "plot", "plot.png", "no/such/directory/plot.svg"],
}

# Options and strategies of which one may have read, and that come later.
# As typed, and what is meant.
NEAR_OPTIONS = {
    "--strateg": "--strategy",
    "--stratgey": "--strategy",
    "--excutions": "--executions",
    "--preemption": "--preemptions",
    "--job": "--jobs",
    "--second": "--seconds",
    "--keepgoing": "--keep-going",
    "--keep_going": "--keep-going",
    "--qiet": "--quiet",
    "--show": "--show-output",
    "--jsn": "--json",
    "--isolaton": "--isolation",
    "--Seed": "--seed",
}


class BadUsage(harness.CommandTest):
    def setUp(self):
        super().setUp()
        self.program = built("updates.c")

    def refused(self, *words, says=()):
        ran = self.heddle(*words, exit=2)
        self.assertEqual(ran.out, "", ran)
        self.assertTrue(ran.err.startswith("heddle: "), ran)
        self.assertEqual(ran.err.count("\n"), 1, ran)
        self.assertNotRegex(ran.err, "Heddle's own|TEXT|std::|terminate")
        for text in says:
            self.assertIn(text, ran.err, ran)
        self.assertFalse((self.dir / "heddle-out").exists())
        return ran.err

    def verb_of(self, option):
        if option in ("strategies", "seeds", "plot"):
            return "compare"
        return "replay" if option in ("times", "program") else "run"

    def subject_of(self, verb):
        return "some.heddle" if verb == "replay" else self.program

    def test_no_verb(self):
        ran = self.heddle(exit=2)
        self.assertIn("heddle run ./test", ran.err)
        self.assertEqual(ran.out, "")

    def test_unknown_verbs(self):
        self.refused("rum", "./x", says=["there is no verb 'rum'", "heddle run"])
        self.refused("reply", says=["heddle replay"])
        self.refused("./test", says=["heddle run ./test"])
        (self.dir / "test").touch()
        self.refused("test", says=["heddle run ./test"])
        self.refused("help", "runn", says=["there is no verb, topic or option 'runn'", "run"])
        self.refused("--verison", says=["--version"])

    def test_sources(self):
        for name, wrapper in [("queue.cc", "heddle-c++"), ("list.c", "heddle-cc"), ("sub/set.cpp", "heddle-c++")]:
            path = self.dir / name
            path.parent.mkdir(exist_ok=True)
            path.write_text("int main() {}\n")
            self.refused("run", name, says=[f"{name} is a source; build it first: {wrapper} -O1 -g {name} -o {path.stem}"])

    def test_unknown_options(self):
        for typed, meant in NEAR_OPTIONS.items():
            with self.subTest(typed):
                says = [f"unknown option {typed}", f"did you mean {meant}?"]
                self.refused("run", typed, self.program, says=says)
                self.refused("run", f"{typed}=3", self.program, says=says)
        self.refused("run", "--xyzzy", self.program, says=["unknown option --xyzzy"])
        self.refused("run", "-j3", self.program, says=["-j3"])
        self.refused("run", "-q", self.program, says=["-q"])

    def test_options_of_the_other_verb(self):
        self.refused("run", "--times", "3", self.program, says=["--times"])
        self.refused("replay", "--jobs", "3", "some.heddle", says=["--jobs"])

    def test_missing_values(self):
        for option in BAD_VALUES:
            with self.subTest(option):
                verb = self.verb_of(option)
                self.refused(verb, f"--{option}", says=[f"--{option} needs a value: --{option} "])

    def test_a_missing_value_does_not_eat_an_option(self):
        self.refused("run", "--seed", "--jobs", "2", self.program, says=["--seed"])

    def test_bad_values(self):
        for option, values in BAD_VALUES.items():
            for value in values:
                with self.subTest(option=option, value=value):
                    verb = self.verb_of(option)
                    subject = self.subject_of(verb)
                    message = self.refused(verb, f"--{option}", value, subject)
                    self.assertIn(option, message)
                    if option != "order":
                        self.assertIn(value, message)

    def test_bad_values_say_what_is_good(self):
        run = lambda *words: self.refused("run", *words, self.program)
        self.assertIn("type e.g. --jobs 2", run("--jobs", "0"))
        self.assertIn("from 1 to 64", run("--jobs", "65"))
        self.assertIn("2 or none", run("--preemptions", "two"))
        self.assertRegex(run("--isolation", "forks"), "snapshot.*fork.*none")
        self.assertRegex(run("--strategy", "dsf"), "auto, dfs, best-first, random")
        self.assertRegex(run("--order", "ran"), "known: .*pb, .*rand.*did you mean rand")
        self.assertIn("--strategy best-first --order pb", run("--order", "pb"))
        self.assertIn("type e.g. --seconds 10", run("--seconds", "soon"))

    def test_values_of_flags(self):
        for flag in ["keep-going", "spurious", "show-output", "quiet"]:
            self.refused("run", f"--{flag}=3", self.program, says=[f"--{flag} takes no value"])

    def test_what_does_not_go_together(self):
        for bound in ["--preemptions", "--depth", "--delays"]:
            says = ["takes no bound", bound]
            self.refused("run", "--reduce", "dpor", bound, "2", self.program, says=says)
        self.refused("run", "--reduce", "dpor", "--spurious", self.program, says=["--spurious"])
        self.refused("run", "--reduce", "dpor", "--strategy", "random", self.program,
                     says=["at random"])
        self.refused("replay", "--gdb", "some.heddle", says=["--gdb"])
        self.refused("run", "--html", "x.html", self.program, says=["--html"])

    def test_all_options_are_here(self):
        """The lists above follow the option table."""
        for verb in ["run", "replay", "compare"]:
            listed = re.findall(r"^  --([a-z-]+) [A-Za-z]", self.heddle("help", verb, exit=0).out, re.M)
            self.assertGreater(len(listed), 5)
            self.assertLessEqual(set(listed), set(BAD_VALUES), verb)

    def test_no_program(self):
        typed = "heddle run [OPTIONS] PROGRAM [ARGUMENTS]"
        self.refused("run", says=["no program given", typed])
        self.refused("run", "--jobs", "2", says=["no program given", typed])
        self.refused("run", "", says=["no program given", typed])
        self.refused("run", "--", says=["no program given", typed])

    def test_schedules_to_replay(self):
        self.refused("replay", says=["heddle replay [OPTIONS] FILE.heddle"])
        self.refused("replay", "a.heddle", "b.heddle", says=["leave out b.heddle"])

    def test_out_cannot_be_written(self):
        """Known when the failure is found, and not a reason to lose it."""
        (self.dir / "file").touch()
        command = ["run", "--out", "file/x", self.program, "2", "2", "split"]
        ran = self.heddle(*command, exit=1)
        self.assertIn("the schedule was not saved", ran.out)

    def test_help_is_no_mistake(self):
        for words in [["--help"], ["-h"], ["help"], ["run", "--help"], ["replay", "-h"], ["help", "run"]]:
            ran = self.heddle(*words, exit=0)
            self.assertEqual(ran.err, "")
            self.assertIn("heddle", ran.out)
        self.assertRegex(self.heddle("--version", exit=0).out, r"^heddle \d+\.\d+\.\d+\n$")

    def test_what_follows_the_program_is_its_own(self):
        report = self.search("--executions", "1", self.program, "--jobs", "x", "--json", exit=None)
        self.assertEqual(report["program"][1:], ["--jobs", "x", "--json"])
        report = self.search("--executions", "1", "--", self.program, "2", "1", exit=0)
        self.assertEqual(report["program"][1:], ["2", "1"])


if __name__ == "__main__":
    harness.main()

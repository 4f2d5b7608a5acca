#!/usr/bin/env python3
"""--first: schedules of former failures are run before anything else; and the lines to keep that a report ends with."""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import BIN, HERE, built


class First(harness.CommandTest):
    def program(self, *flags):
        """Always of the same name, as after an edit."""
        shutil.copy(built("former.cc", *flags), self.dir / "former")
        return "./former"

    def found(self):
        return self.search(self.program(), exit=1)["failures"][0]

    def test_comes_again(self):
        failure = self.found()
        report = self.search("--first", "heddle-out", "--strategy", "dfs", "./former", exit=1)
        self.assertEqual(report["former"], {"failed": 1, "passed": 0, "unfit": [], "others": []})
        self.assertEqual((report["verdict"], report["executions"]), ("failed", 1))
        again = report["failures"][0]
        for field in ("kind", "location", "steps", "preemptions", "schedule"):
            self.assertEqual(again[field], failure[field])
        self.assertEqual((again["execution"], again["stage"]), (1, "a former failure"))
        text = self.heddle("run", "--first", failure["schedule"], "./former", exit=1).out
        self.assertIn("Found in execution 1 (a former failure): ", text)

    def test_goes_on(self):
        """The search comes after it, with --keep-going; what is known already is not told again."""
        self.found()
        whole = self.search("--strategy", "dfs", "--keep-going", "./former", exit=1)
        report = self.search("--first", "heddle-out", "--strategy", "dfs", "--keep-going", "./former", exit=1)
        self.assertEqual(report["executions"], whole["executions"] + 1)
        self.assertEqual(len(report["failures"]), 1)
        self.assertTrue(report["coverage"]["complete"])

    def test_passes(self):
        """A lock more, and the decision lets the same thread go, at another operation."""
        self.found()
        self.program("-DFIXED")
        report = self.search("--first", "heddle-out", "./former", exit=0)
        former = report["former"]
        self.assertEqual(former["failed"], 0)
        self.assertEqual(former["passed"] + len(former["unfit"]), 1)
        self.assertEqual(report["verdict"], "passed")

    def test_unfit(self):
        """Of the two threads one is left: there is nobody to be let go. It is named."""
        schedule = self.found()["schedule"]
        self.program("-DTHREADS=1")
        ran = self.heddle("run", "--first", "heddle-out", "--json", "report", "./former", exit=0)
        self.assertIn(f"note: {schedule} does not fit the program any more", ran.out)
        self.assertIn("1 of them of former failures", ran.out)

    def test_others(self):
        """Of another program, or with other arguments: named, and not run. A file that is named itself is run."""
        schedule = self.found()["schedule"]
        shutil.copy(self.dir / "former", self.dir / "other")
        ran = self.heddle("run", "--first", "heddle-out", "--executions", 1, "./other", exit=0)
        self.assertIn(f"note: {schedule} is of another program or test, and was not run", ran.out)
        report = self.search("--first", "heddle-out", "--executions", 1, "./former", "argument", exit=0)
        self.assertEqual(report["former"]["others"], [schedule])
        self.assertEqual(report["executions"], 1)
        self.search("--first", schedule, "./other", exit=1)

    def test_mistakes(self):
        self.program()
        self.assertIn("there is no such directory or file", self.heddle("run", "--first", "missing", "./former", exit=2).err)
        (self.dir / "broken").mkdir()
        (self.dir / "broken" / "a.heddle").write_text("what?\n")
        self.assertIn("broken/a.heddle", self.heddle("run", "--first", "broken", "./former", exit=2).err)

    def test_command_to_keep(self):
        failure = self.found()
        command = failure["test_to_keep"].split()
        self.assertEqual(command, ["heddle", "run", "--first", failure["schedule"], "--executions", "1", "./former"])
        self.heddle(*command[1:], exit=1)
        self.program("-DFIXED")
        self.heddle(*command[1:], exit=0)


class LinesToKeep(harness.CommandTest):
    def run_program(self, program, exit):
        ran = subprocess.run([program], cwd=self.dir, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertEqual(ran.returncode, exit, ran.stdout + ran.stderr)
        return ran.stdout

    def kept(self, lines, *flags):
        """A program that runs the lines alone."""
        source = self.dir / "kept.cc"
        name = lines.split("void ")[1].split("(")[0]
        source.write_text(
            f'#define KEPT\n#include "{HERE}/kept_test.cc"\n#include <iostream>\n#include <stdexcept>\n{lines}\n'
            f"int main() {{ try {{ {name}(); }} catch (const std::runtime_error& error) "
            "{ std::cout << error.what(); return 9; } }\n"
        )
        command = [BIN / "heddle-c++", "-std=c++20", "-O1", "-g", source, "-o", self.dir / "kept", *flags]
        subprocess.run([str(word) for word in command], check=True, stdin=subprocess.DEVNULL)
        return self.dir / "kept"

    def test_compiles_and_runs(self):
        text = self.run_program(built("kept_test.cc"), 1)
        lines = text.split("A test to keep:\n")[1].split("\n\n")[0]
        told = self.run_program(self.kept(lines), 9)
        self.assertIn("FAILED  assertion in main at kept_test.cc:24", told)
        self.assertIn("a former failure", told)
        self.run_program(self.kept(lines, "-DFIXED"), 0)


if __name__ == "__main__":
    harness.main()

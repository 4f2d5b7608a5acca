#!/usr/bin/env python3
"""heddle show --script: the scripts of failures build, run, and lead to the same failures; also after an edit of the
source that has nothing to do with them."""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import BIN, PROGRAMS, SOURCE

EXAMPLES = SOURCE / "examples"
OWN = harness.HERE / "scripted"

# Source, arguments, options of the search, kind.
CASES = [
    (EXAMPLES / "counter.cc", [], [], "assertion"),
    (EXAMPLES / "philosophers.cc", [], [], "deadlock"),
    (EXAMPLES / "queue.cc", [], [], "deadlock"),
    (EXAMPLES / "session.cc", [], [], "use-after-free"),
    (EXAMPLES / "lazy.cc", [], [], "data-race"),
    (EXAMPLES / "stack_test.cc", [], [], "assertion"),
    (PROGRAMS / "deadlock" / "lost_wakeup.cc", [], [], "deadlock"),
    (PROGRAMS / "fair" / "philosophers.cc", [], [], "livelock"),
    (PROGRAMS / "failures" / "abort.cc", [], [], "assertion"),
    (PROGRAMS / "failures" / "arithmetic.cc", [], [], "crash"),
    (PROGRAMS / "failures" / "exception.cc", [], [], "exception"),
    (PROGRAMS / "failures" / "exit_status.cc", [], [], "exit"),
    (PROGRAMS / "failures" / "null_pointer.cc", [], [], "crash"),
    (PROGRAMS / "memory" / "double_free.cc", [], [], "double-free"),
    (PROGRAMS / "misuse" / "condition.cc", ["destroy-waited"], [], "misuse"),
    (PROGRAMS / "misuse" / "joinable_thread.cc", ["destroyed"], [], "misuse"),
    (PROGRAMS / "misuse" / "mutex.cc", ["destroy-in-wait"], [], "misuse"),
    (PROGRAMS / "misuse" / "mutex.cc", ["destroyed-meanwhile"], [], "misuse"),
    (PROGRAMS / "misuse" / "rwlock.cc", ["unlock-too-often"], [], "misuse"),
    (PROGRAMS / "races" / "lost_update.c", [], [], "data-race"),
    (PROGRAMS / "memory" / "use_after_free.cc", [], ["--accesses", "all"], "use-after-free"),
    (OWN / "account.cc", [], [], "assertion"),
    (OWN / "account.cc", ["heap"], [], "assertion"),
    (OWN / "account.cc", ["local"], [], "assertion"),
    (OWN / "account.cc", ["semaphore"], [], "assertion"),
    (OWN / "account.cc", ["choose"], [], "assertion"),
    (OWN / "account.cc", ["race"], ["--races", "explore"], "assertion"),
    (OWN / "account.cc", ["waiters"], [], "deadlock"),
    (OWN / "account.cc", ["try"], [], "assertion"),
]
# Those that heddle::check finds: the body, which the user has to fill in.
BODIES = {"stack_test.cc": "two_pops();"}
BODY = "/* the body of the test */"
FLAGS = ["-O1", "-g"]
MOST_EXECUTIONS = 5
# What goes round for ever does so a hundred times in its script, which then fails itself.
STILL_GOES_ROUND = ("assertion", "assertion `s.all_ended()' failed")


def name_of(case):
    source, arguments, options, kind = case
    return "-".join([source.parent.name, source.stem, *arguments, *options, kind])


def with_edit(text):
    """Lines above everything, and a function behind the last #include."""
    last = max(match.end() for match in re.finditer(r"^#include .*\n", text, re.M))
    function = "\nint unrelated(int x);\nint unrelated(int x) {\n  return x > 0 ? x - 1 : 0;\n}\n\n"
    return "// Above.\n\n\n" + text[:last] + function + text[last:]


class ShowScript(harness.CommandTest):
    def do(self, folder, *words, exit=0, env=None):
        ran = subprocess.run([str(word) for word in words], cwd=folder, env=self.environment_with(env),
                             capture_output=True, text=True)
        self.assertEqual(ran.returncode, exit, f"{folder}: {words}\n{ran.stdout}{ran.stderr}")
        return ran.stdout

    def build(self, folder, source, program, *flags):
        wrapper = ["heddle-cc"] if source.suffix == ".c" else ["heddle-c++", "-std=c++20"]
        self.do(folder, BIN / wrapper[0], *wrapper[1:], *FLAGS, source, "-o", program, *flags)

    def found(self, folder, source, arguments, options):
        """The failure that a search finds, and its script."""
        self.build(folder, source, folder / "program")
        if source.name in BODIES:
            self.do(folder, "./program", exit=1, env={"HEDDLE_OPTIONS": "--json found.json"})
        else:
            self.do(folder, BIN / "heddle", "run", "--json", "found.json", *options, "./program", *arguments, exit=1)
        script = self.do(folder, BIN / "heddle", "show", "--script", "heddle-out/program-1.heddle")
        return self.failure(folder / "found.json"), script

    def failure(self, path):
        report = harness.json.loads(path.read_text())
        self.assertEqual(len(report["failures"]), 1, path)
        failure = report["failures"][0]
        return failure["kind"], re.sub(r"^[\w.]+:\d+: ", "", failure["message"]), report["executions"]

    def runs_to(self, expected, folder, source, script):
        (folder / "script.cc").write_text(script)
        # As the script itself says.
        lines = re.findall(r"^//   (heddle-c.*)", script, re.M)
        for line in lines:
            words = line.replace("THIS_FILE.cc", "script.cc -std=c++20 -o script").split()
            self.do(folder, BIN / words[0], *FLAGS, *words[1:], f"-I{self.dir}")
        out = self.do(folder, "./script", exit=1, env={"HEDDLE_OPTIONS": "--json again.json"})
        kind, message, executions = self.failure(folder / "again.json")
        self.assertEqual(kind, expected[0], out + script)
        if kind == "assertion":
            self.assertEqual(message, expected[1], out)
        self.assertLessEqual(executions, MOST_EXECUTIONS, out + script)
        return executions

    def check(self, case):
        original, arguments, options, kind = case
        folder = self.dir / name_of(case)
        folder.mkdir()
        source = folder / original.name
        shutil.copy(original, source)
        failure, script = self.found(folder, source, arguments, options)
        self.assertEqual(failure[0], kind)
        self.assertEqual(BODY in script, source.name in BODIES, script)
        script = script.replace(BODY, BODIES.get(source.name, ""))
        if kind == "livelock":
            failure = STILL_GOES_ROUND
        counts = [self.runs_to(failure, folder, source, script)]
        source.write_text(with_edit(source.read_text()))
        counts.append(self.runs_to(failure, folder, source, script))
        return counts

    def test_all(self):
        (self.dir / "heddle").mkdir()
        self.do(self.dir, BIN / "heddle-c++", "-std=c++20", *FLAGS, "-w", "-x", "c++-header",
                     SOURCE / "include" / "heddle" / "scenario.h", "-o", "heddle/scenario.h.gch")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            checked = {name_of(case): pool.submit(self.check, case) for case in CASES}
        for name, result in checked.items():
            with self.subTest(name):
                counts = result.result()
                print(f"{name}: reproduced in {counts[0]} and, after the edit, {counts[1]} executions")


if __name__ == "__main__":
    harness.main()

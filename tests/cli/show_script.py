#!/usr/bin/env python3
"""heddle show --script: the scripts of failures build, run, and lead to the same failures, after an edit of the source
that has nothing to do with them.

usage: show_script.py [--unedited]   … also as the source was, and with all failures: else it is every fourth one
"""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import BIN, PROGRAMS, SOURCE
import compiled

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
    (PROGRAMS / "races" / "lost_update.c", [], ["--races", "explore"], "assertion"),
    (PROGRAMS / "memory" / "use_after_free.cc", [], ["--accesses", "all"], "use-after-free"),
    (OWN / "account.cc", [], [], "assertion"),
    (OWN / "account.cc", ["heap"], [], "assertion"),
    (OWN / "account.cc", ["local"], [], "assertion"),
    (OWN / "account.cc", ["semaphore"], [], "assertion"),
    (OWN / "account.cc", ["choose"], [], "assertion"),
    (OWN / "account.cc", ["race"], ["--races", "explore"], "assertion"),
    (OWN / "account.cc", ["heap-race"], ["--races", "explore"], "assertion"),
    (OWN / "account.cc", ["inner"], [], "assertion"),
    (OWN / "account.cc", ["heap-wait"], ["--races", "explore"], "assertion"),
    (OWN / "account.cc", ["waiters"], [], "deadlock"),
    (OWN / "account.cc", ["try"], [], "assertion"),
]
# Those that heddle::check finds: the body, which the user has to fill in.
BODIES = {"stack_test.cc": "two_pops();"}
BODY = "/* the body of the test */"
PROGRAM_FLAGS = ["-O1", "-g"]
SCRIPT_FLAGS = ["-O0", "-g"]
PLACE = re.compile(r"^[\w.]+:\d+: ")
MOST_EXECUTIONS = 5
UNEDITED = "--unedited" in sys.argv
CHOSEN = CASES if UNEDITED else CASES[::4]
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

    def source_of(self, original):
        """The copy that is built, and edited."""
        return self.dir / original.parent.name / original.stem / original.name

    def build(self, original):
        source = self.source_of(original)
        source.parent.mkdir(parents=True)
        shutil.copy(original, source)
        wrapper = ["heddle-cc"] if source.suffix == ".c" else ["heddle-c++", "-std=c++20"]
        command = [BIN / wrapper[0], *wrapper[1:], *PROGRAM_FLAGS, source, "-o", "program"]
        done = compiled.compile_with(command, source.parent, self.environment)
        self.assertEqual(done.returncode, 0, done.stderr)

    def build_header(self):
        (self.dir / "heddle").mkdir()
        self.do(self.dir, BIN / "heddle-c++", "-std=c++20", *SCRIPT_FLAGS, "-w", "-x", "c++-header",
                SOURCE / "include" / "heddle" / "scenario.h", "-o", "heddle/scenario.h.gch")

    def failure(self, path):
        report = json.loads(path.read_text())
        self.assertEqual(len(report["failures"]), 1, path)
        failure = report["failures"][0]
        return failure["kind"], PLACE.sub("", failure["message"]), report["executions"]

    def found(self, case):
        """The failure that a search finds, as kind and message. Its script is in the folder then."""
        original, arguments, options, kind = case
        source = self.source_of(original)
        folder = self.dir / name_of(case)
        folder.mkdir()
        program = source.parent / "program"
        if source.name in BODIES:
            self.do(folder, program, exit=1, env={"HEDDLE_OPTIONS": "--json found.json"})
        else:
            self.do(folder, BIN / "heddle", "run", "--samplers", "none", "--json", "found.json", *options, program, *arguments, exit=1)
        script = self.do(folder, BIN / "heddle", "show", "--script", "heddle-out/program-1.heddle")
        self.assertEqual(BODY in script, source.name in BODIES, script)
        (folder / "script.cc").write_text(script.replace(BODY, BODIES.get(source.name, "")))
        failure = self.failure(folder / "found.json")[:2]
        self.assertEqual(failure[0], kind)
        return STILL_GOES_ROUND if kind == "livelock" else failure

    def reproduce(self, case, expected):
        """Builds the script as it says itself, and runs it."""
        folder = self.dir / name_of(case)
        script = (folder / "script.cc").read_text()
        for line in re.findall(r"^//   (heddle-c.*)", script, re.M):
            words = line.replace("THIS_FILE.cc", "-std=c++20 script.cc -o script").split()
            self.do(folder, BIN / words[0], *SCRIPT_FLAGS, f"-I{self.dir}", *words[1:])
        out = self.do(folder, "./script", exit=1, env={"HEDDLE_OPTIONS": "--json again.json"})
        kind, message, executions = self.failure(folder / "again.json")
        self.assertEqual(kind, expected[0], out + script)
        if kind == "assertion":
            self.assertEqual(message, expected[1], out + script)
        self.assertLessEqual(executions, MOST_EXECUTIONS, out + script)
        return executions

    def at_once(self, function, *arguments):
        """Each with its result, which may be that it raises."""
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            return [pool.submit(function, *each) for each in zip(*arguments)]

    def test_several_files(self):
        """What another file has for itself has no name in the script; what a header declares has one."""
        texts = {
            "shop.h": "#pragma once\n#include <atomic>\nextern std::atomic<int> sold;\nvoid sell(); int stock();\n",
            "shop.cc": '#include "shop.h"\nstd::atomic<int> sold;\nstatic std::atomic<int> left{2};\n'
                       "void sell() { int now = left; left = now - 1; sold = sold + 1; }\nint stock() { return left; }\n",
            "main.cc": '#include "shop.h"\n#include <cassert>\n#include <thread>\nint main() {\n  std::thread other(sell);\n'
                       "  sell();\n  other.join();\n  assert(WHAT);\n}\n",
        }
        for what, named in [("stock() == 0", "left"), ("sold == 2", "sold")]:
            folder = self.dir / named
            folder.mkdir()
            for name, text in texts.items():
                (folder / name).write_text(text.replace("WHAT", what))
            self.do(folder, BIN / "heddle-c++", "-std=c++20", "-O1", "-g", "main.cc", "shop.cc", "-o", "program")
            self.do(folder, BIN / "heddle", "run", "--samplers", "none", "./program", exit=1)
            script = self.do(folder, BIN / "heddle", "show", "--script", "heddle-out/program-1.heddle")
            self.assertEqual("(sold)" in script, named == "sold", script)
            self.assertNotIn("(left)", script)
            if named == "sold":
                continue
            (folder / "script.cc").write_text(script)
            self.do(folder, BIN / "heddle-c++", "-std=c++20", *SCRIPT_FLAGS, "script.cc", "shop.cc", "-Wl,--wrap=main", "-o", "script")
            self.assertIn(f"assertion `{what}' failed", self.do(folder, "./script", exit=1))

    def test_all(self):
        originals = list(dict.fromkeys(case[0] for case in CHOSEN))
        self.build_header()
        for done in self.at_once(self.build, originals):
            done.result()
        failures = [done.result() for done in self.at_once(self.found, CHOSEN)]
        ways = [self.at_once(self.reproduce, CHOSEN, failures)] if UNEDITED else []
        for original in originals:
            source = self.source_of(original)
            source.write_text(with_edit(source.read_text()))
        ways.append(self.at_once(self.reproduce, CHOSEN, failures))
        for case, *results in zip(CHOSEN, *ways):
            with self.subTest(name_of(case)):
                print(f"{name_of(case)}: execution {', '.join(str(result.result()) for result in results)}")


if __name__ == "__main__":
    if UNEDITED:
        sys.argv.remove("--unedited")
    harness.main()

#!/usr/bin/env python3
"""heddle replay --gdb: a real gdb goes forward and back through failing executions of each kind.

The session is tests/command/gdb_session.py, which runs in gdb. It compares what gdb sees of the program (its
threads, their frames) with what the report says of each step, and prints a line for each place it has been to.
"""

import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
import processes
from harness import PROGRAMS, SOURCE, built

SESSION = harness.HERE / "gdb_session.py"

# A program that fails so, what `heddle run` is given, and a function that the failing thread is in when gdb
# stops just before the failure: of a deadlock or livelock, one that each thread is in which does not go on.
KINDS = {
    "assertion": ("failures/assertion.cc", [], [], "main()"),
    "crash": ("failures/null_pointer.cc", [], [], "use(int*) (pointer=0x0)"),
    "exception": ("failures/exception.cc", [], [], "fire()"),
    "exit": ("failures/exit_status.cc", [], [], ""),
    "deadlock": ("deadlock/philosophers.cc", [], [], "std::mutex::lock"),
    "livelock": ("fair/philosophers.cc", [], [], ""),
    "data-race": ("races/lost_update.c", [], [], ""),
    "use-after-free": ("memory/use_after_free.cc", [], [], ""),
    "misuse": ("misuse/mutex.cc", [], ["unlock-of-other"], "pthread_mutex_unlock"),
    "hang": ("failures/hang.cc", ["--hang-after", "0.3"], [], "spin"),
}
if not processes.ALL_SAMPLES:
    KINDS = {kind: KINDS[kind] for kind in ("assertion", "deadlock", "livelock", "data-race", "hang")}


class Debugger(harness.CommandTest):
    def found(self, source, options=(), arguments=()):
        program = self.dir / source.stem
        shutil.copy(built(source), program)
        run = ["run", "--samplers", "none", *options, f"./{source.stem}", *arguments]
        self.heddle(*run, exit=1)
        return f"heddle-out/{source.stem}-1.heddle"

    def gdb(self, schedule, *arguments, exit=0, options=()):
        ran = self.heddle("replay", "--gdb", *options, schedule, "--", "-nx", "-batch", *arguments, exit=exit)
        self.assertNotIn("Traceback", ran.err)
        self.assertNotIn("Python Exception", ran.err)
        return ran

    def commands(self, schedule, *commands, **how):
        return self.gdb(schedule, *(word for command in commands for word in ("-ex", command)), **how)

    def session(self, schedule, options=()):
        """What gdb_session.py has printed, line by line."""
        ran = self.gdb(schedule, "-x", SESSION, options=options)
        lines = [line.removeprefix("SESSION ") for line in ran.out.splitlines() if line.startswith("SESSION ")]
        self.assertEqual(lines[-1:], ["done"], ran)
        return lines

    def test_each_kind(self):
        for kind, (source, options, arguments, function) in KINDS.items():
            with self.subTest(kind):
                schedule = self.found(PROGRAMS / source, options, arguments)
                lines = self.session(schedule, options)
                self.assertIn(f"kind {kind}", lines)
                self.assertNotIn("wrong", "".join(line.split()[0] for line in lines), lines)
                at_end = [line for line in lines if line.startswith("failure ")]
                self.assertEqual(len(at_end), 2, lines)  # and again, after steps back
                self.assertEqual(at_end[0], at_end[1])
                self.assertIn(function, at_end[0])

    def test_breakpoints_and_watchpoints(self):
        schedule = self.found(SOURCE / "examples" / "counter.cc")
        ran = self.commands(
            schedule,
            "break increase",
            "continue",
            "delete",
            "watch counter._M_i",
            "continue",
            "heddle where",
            "continue",
            "heddle where",
            "continue",
            "heddle where",
        )
        # Both threads write 1: the update is lost, and the second write changes nothing.
        self.assertRegex(ran.out, r'Thread 2 "T1" hit Breakpoint 1, increase')
        self.assertRegex(ran.out, r'"T[12]" hit Hardware watchpoint 2: counter._M_i\n\nOld value = 0\nNew value = 1')
        self.assertEqual(ran.out.count("Old value"), 1, ran)
        self.assertRegex(ran.out, r"heddle: in step \d+ of 0 to \d+: T2: atomic store counter: 0 -> 1, counter.cc:10")
        self.assertIn("heddle: just before the failure, after 14 steps: assertion in main at counter.cc:18", ran.out)

    def test_info_threads(self):
        schedule = self.found(SOURCE / "examples" / "counter.cc")
        ran = self.commands(schedule, "heddle preemption 1", "info threads", "thread apply all backtrace")
        self.assertRegex(ran.out, r"heddle: before step 5 of 0 to 13: T2: ")
        self.assertIn("preemption 1: T2 preempts T1, before: atomic store counter, counter.cc:10", ran.out)
        for name in ("main", "T1", "T2"):
            self.assertRegex(ran.out, rf'Thread 0x[0-9a-f]+ \(LWP \d+\) "{name}"')
        # T1 has read, and not written yet; main waits for it. Nothing of the runtime is shown.
        traces = ran.out[ran.out.index("\nThread 3 ") :]
        self.assertRegex(traces, r"(?s)Thread 2 .* increase\(\) \(\) at \S*counter.cc:10")
        self.assertRegex(traces, r"(?s)Thread 1 .* main\(\) \(\) at \S*counter.cc:16")
        self.assertNotIn("heddle::", traces)
        self.assertNotIn("raw_call", traces)

    def test_of_a_check(self):
        program = self.dir / "stack_test"
        shutil.copy(built(SOURCE / "examples" / "stack_test.cc"), program)
        subprocess.run([program], cwd=self.dir, capture_output=True)
        lines = self.session("heddle-out/stack_test-1.heddle")
        self.assertNotIn("wrong", "".join(line.split()[0] for line in lines), lines)
        self.assertEqual(len([line for line in lines if line.startswith("failure ")]), 2, lines)

    def test_uninstrumented(self):
        program = self.dir / "philosophers"
        subprocess.run(
            ["g++", "-std=c++20", "-g", PROGRAMS / "deadlock" / "philosophers.cc", "-o", program], check=True
        )
        self.heddle("run", "--uninstrumented", "./philosophers", exit=1)
        lines = self.session("heddle-out/philosophers-1.heddle", ["--trust"])
        self.assertNotIn("wrong", "".join(line.split()[0] for line in lines), lines)
        self.assertIn("kind deadlock", lines)

    def test_arguments_and_environment(self):
        """The program sees what it sees in a search, whatever gdb adds."""
        source = self.dir / "sees.cc"
        source.write_text(
            "#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>\nextern char** environ;\n"
            "int main(int argc, char** argv) {\n"
            '  for (int i = 0; i < argc; ++i) printf("sees %s\\n", argv[i]);\n'
            '  for (char** e = environ; *e; ++e) if (getenv("LINES") || getenv("COLUMNS")) printf("sees %s\\n", *e);\n'
            '  char c; printf("sees input %d\\n", (int)read(0, &c, 1)); fflush(stdout); abort(); }\n'
        )
        folder = self.dir / "a b"
        folder.mkdir()
        program = folder / "it's"
        subprocess.run([harness.BIN / "heddle-c++", "-g", source, "-o", program], check=True)
        self.heddle("run", "a b/it's", "x y", "", "$HOME", exit=1)
        for name in ("LINES", "COLUMNS"):
            self.environment.pop(name, None)
        ran = self.commands("heddle-out/it's-1.heddle", "heddle failure", "kill")
        seen = re.findall(r"^sees (.*)$", ran.out, re.M)
        self.assertEqual(seen, ["a b/it's", "x y", "", "$HOME", "input 0"], ran)

    def test_mistakes_in_gdb(self):
        schedule = self.found(SOURCE / "examples" / "counter.cc")
        for command, says in {
            "heddle goto 14": "the steps are 0 to 13; behind them: heddle failure",
            "heddle goto x": "a number is needed here, not 'x'",
            "heddle back": "there are no 1 steps before this place",
            "heddle preemption 2": "the preemptions are 1 to 1",
            "heddle nonsense": "there is no 'heddle nonsense'",
        }.items():
            with self.subTest(command):
                self.assertIn(says, self.commands(schedule, command, exit=1).err)

    def test_refusals(self):
        schedule = self.found(SOURCE / "examples" / "counter.cc")
        empty = self.dir / "empty"
        empty.mkdir()
        for words, env, says in (
            (["--gdb", schedule], {}, "--gdb needs a terminal, or commands for gdb: "),
            (["--gdb", schedule, "--", "-batch"], {"PATH": str(empty)}, "--gdb needs gdb, which is not on the PATH"),
            (["--gdb", "--times", "2", schedule], {}, "leave out --times"),
            (["--gdb", "--json", "x", schedule], {}, "leave out --json"),
            (["--gdb", schedule, "other.heddle"], {}, "one schedule at a time; leave out other.heddle"),
            (["--gdb", "--", "-batch"], {}, "no schedule given"),
            ([schedule, "--", "-batch"], {}, "one schedule at a time; leave out -batch"),
            (["--gdb", "gone.heddle", "--", "-batch"], {}, "gone.heddle"),
        ):
            with self.subTest(" ".join(map(str, words))):
                ran = self.heddle("replay", *words, env=env, exit=2)
                self.assertEqual(ran.out, "")
                self.assertTrue(ran.err.startswith("heddle: "), ran)
                self.assertIn(says, ran.err)
        self.heddle("start-debugged", "99", exit=2)

    def test_a_program_that_has_changed(self):
        """What was found may be gone: there is an execution to look at all the same."""
        schedule = self.found(SOURCE / "examples" / "counter.cc")
        fixed = self.dir / "fixed.cc"
        text = (SOURCE / "examples" / "counter.cc").read_text()
        fixed.write_text(text.replace("counter == 2", "counter >= 1"))
        subprocess.run([harness.BIN / "heddle-c++", "-std=c++20", "-g", fixed, "-o", self.dir / "counter"], check=True)
        ran = self.commands(schedule, "heddle failure")
        self.assertIn("has changed since this schedule was made", ran.out)
        self.assertIn("heddle: no failure\n", ran.out)
        self.assertRegex(ran.out, r"heddle: the execution is over, after \d+ steps: the program has ended")


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""Every failing program of tests/programs and of examples/: what is found is found again, and its schedule
leads to the same failure a hundred times, and some more with randomised addresses and from anywhere.

The programs are run as their own RUN lines say. After each line that has left schedules, the line is run
again with randomised addresses, which must give the same schedules to the byte, and all of them are replayed.

usage: repeat_failures.py [--shard K/N] [--each]

--shard K/N   every N-th program, beginning with the K-th
--each        also programs of which an execution takes a second; and a replay of its own for each of: the schedule
              named once more, randomised addresses, and another directory. Otherwise one is for all of them.
"""

import os
import pathlib
import re
import shlex
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import BIN, PROGRAMS, SOURCE
import compiled
import run_program

RANDOMISED = {"HEDDLE_ASLR": "1"}
TIMES = 100
AGAIN = 20  # from elsewhere, and with other addresses
FIRST, STRIDE = 1, 1
EACH = False

# Of programs that take long for each execution: a hang takes as long as is waited for it, a million steps take half a
# second, and whoever writes over all of the heap needs it in real memory; or that leave many schedules.
SLOW = {
    "hang": (["--hang-after", "0.1"], 20, 5),
    "stack_overflow": ([], 20, 5),
    "long_loops": ([], 5, 5),
    "blocking": (["--hang-after", "0.1"], 20, 5),
    "budget_in_first": (["--hang-after", "0.1"], 5, 3),
    "not_rebuilt": (["--hang-after", "0.1"], 10, 3),
    "own_line": (["--hang-after", "0.1"], 20, 5),
    "interleavings": ([], 20, 5),
    "million_steps": ([], 3, 2),  # with --each alone
    "memory_exhausted": ([], 10, 3),
    "wrong": (["--hang-after", "0.1"], 20, 5),
    "wild_write": (["--heap", "16"], TIMES, 5),
    # It breaks what libc keeps of its threads, which no snapshot restores: each execution in a fresh process.
    "broken_frames": (["--isolation", "fork"], 20, 5),
}


def calls_check(path):
    return "heddle::check" in path.read_text()


def failing_programs():
    for path in sorted(PROGRAMS.rglob("*.c*")):
        if "inputs" in path.parts:
            continue
        runs = run_program.Program(path).runs
        if path.stem == "million_steps" and not EACH:
            continue
        if calls_check(path) or any(run.exit == 1 for run in runs):
            yield path, [(run.command, run.exit) for run in runs]
    for path in sorted((SOURCE / "examples").glob("*.cc")):
        start = "%t" if calls_check(path) else "%heddle run %t"
        yield path, [("%cxx -std=c++20 -O1 -g %s -o %t", 0), (start, 1)]


class Repeat(harness.CommandTest):
    def test_all(self):
        seen = 0
        for path, runs in list(failing_programs())[FIRST - 1 :: STRIDE]:
            with self.subTest(path.relative_to(SOURCE)):
                schedules = self.follow(path, runs)
                if any(code == 1 for _, code in runs):
                    self.assertGreater(schedules, 0, "no schedule was left")
                seen += 1
        self.assertGreater(seen, 20 // STRIDE)

    def follow(self, path, runs):
        """Runs the lines; returns how many schedules were replayed."""
        self.dir = pathlib.Path(os.getcwd()) / path.relative_to(SOURCE).with_suffix("")
        self.dir.mkdir(parents=True)
        self.elsewhere = self.dir / "else" / "where"
        self.elsewhere.mkdir(parents=True)
        count = 0
        for command, code in runs:
            if "%heddle replay" in command or re.match("for |python3 ", command):
                continue
            # A search that finds nothing leaves no schedule, and nothing that the others need.
            if code == 0 and command.startswith("%heddle run") and "--resume" not in command:
                continue
            before = self.schedules()
            self.shell(path, command, code)
            # A script's witness leads to no failure.
            fresh = {
                name: text
                for name, text in self.schedules().items()
                if before.get(name) != text and "\nfailure none\n" not in text
            }
            if not fresh:
                continue
            reports = {name: self.heddle("show", name, exit=0).out for name in fresh}
            for name in fresh:
                self.names_preemptions(reports[name])
                self.assertTrue(self.has_script(name))
            self.shell(path, command, code, RANDOMISED)
            self.assertEqual({name: self.schedules()[name] for name in fresh}, fresh)
            for name in fresh:
                replayed = self.replay_everywhere(self.dir / name, *SLOW.get(path.stem, ([], TIMES, AGAIN)))
                self.assertEqual(shown(reports[name]), shown(replayed))
                count += 1
        return count

    def names_preemptions(self, report):
        """Each of them, with the step before and after it, in the first 60 lines. Of a cycle, those of one round."""
        lines = report.splitlines()[:60]
        told = [i for i, line in enumerate(lines) if re.match(r" +--  \S+ preempts \S", line)]
        number = lambda line: int(re.match(r" *([0-9]+)  ", line)[1])
        for i in told:
            self.assertEqual(number(lines[i + 1]), number(lines[i - 1]) + 1, report)
        count = int(re.search(r"(?m)^(?:Found in .*: )?[0-9,]+ steps?, ([0-9,]+) preemptions?", report)[1].replace(",", ""))
        in_cycle = "\nThe cycle: " in report
        # Of one that is not simplified, and has many: the last ones, and in the folds how many others.
        folded = sum(int(text.replace(",", "")) for text in re.findall(r", ([0-9,]+) of them preemptions", report))
        if not in_cycle:
            self.assertEqual(len(told) + folded, count, report)
        self.assertGreaterEqual(len(told), min(count, 1 if in_cycle else 10), report)

    def has_script(self, name):
        ran = self.heddle("show", "--script", name)
        if ran.exit == 0:
            return "s.transfer(" in ran.out
        return ran.exit == 2 and re.search("more than 1000 turns|steps of this failure are not known", ran.err)

    def shell(self, path, command, code, env=None):
        words = {"s": str(path), "S": str(path.parent), "t": str(self.dir / path.stem)}
        words |= {"cxx": str(BIN / "heddle-c++"), "cc": str(BIN / "heddle-cc")}
        words |= {"heddle": str(BIN / "heddle")}
        substituted = run_program.substitute(command, words)
        if code == 0 and run_program.PLAIN_COMPILATION.fullmatch(command):
            result = compiled.compile_with(shlex.split(substituted), self.dir, self.environment_with(env))
        else:
            result = compiled.run(["sh", "-e", "-c", substituted], self.dir, self.environment_with(env))
        self.assertEqual(result.returncode, code, command + "\n" + result.stdout + result.stderr)

    def schedules(self):
        return {
            str(path.relative_to(self.dir)): path.read_text() for path in self.dir.rglob("*.heddle")
        }

    def replay_everywhere(self, schedule, options, times, times_again):
        """Returns the report."""
        words = ["replay", *options, "--times", times, schedule]
        plain = self.heddle(*words, exit=1)
        self.assertIn(f"reproduced {times} times, the same to the step", plain.out)

        words = ["replay", *options, "--times", times_again]
        name = os.path.relpath(schedule, self.elsewhere)
        if not EACH:
            again = self.heddle(*words, name, exit=1, cwd=self.elsewhere, env=RANDOMISED)
            self.assertEqual(nameless(again.out), nameless(plain.out))
            return plain.out
        again = self.heddle(*words, schedule, exit=1)
        self.assertEqual(steady(again.out), steady(plain.out))
        again = self.heddle(*words, schedule, exit=1, env=RANDOMISED)
        self.assertEqual(nameless(again.out), nameless(plain.out))
        again = self.heddle(*words, name, exit=1, cwd=self.elsewhere)
        self.assertEqual(steady(again.out), steady(plain.out))
        return plain.out


def steady(report):
    """Without the time, the times, and the schedule's name as it was typed. Where a thread is when it is found to hang
    is chance: its stack does not count."""
    if report.startswith("FAILED  hang"):
        report = re.sub(r"(?m)^    in .*\n", "", report)
    report = re.sub(r"(?m)^(failed: .*), (?:[0-9]+ min )?[0-9.]+ m?s(?: \([0-9,]+/s\))?$", r"\1", report)
    report = re.sub(r"(?m)^reproduced [0-9,]+ times", "reproduced", report)
    return re.sub(r"(?m)^  heddle replay .*\.heddle$", "  heddle replay", report)


def shown(report):
    """The failure, without what a search knows more of it than a replay, and the schedule's name."""
    report = re.sub(r"(?m)^Found in execution .*?: ([0-9,]+ steps?, [0-9,]+ preemptions?).*?\. To see", r"\1. To see", steady(report))
    why = r"(?:Every schedule fails|No schedule that was tried passes|After step [0-9,]+ every execution fails) \("
    report = re.sub(r"(?ms)^" + why + r".*?\n\n", "", report)
    return report[: report.rindex("  heddle replay")]


def nameless(report):
    """Without the addresses of variables that have no name, the like of them that is left in memory which nobody has set, and
    the blanks that fill their columns."""
    report = re.sub(r"0x[0-9a-f]+", "0x", steady(report))
    return re.sub(r" +", " ", re.sub(r"\b[0-9]{8,}\b", "a number", report))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--shard"]:
        FIRST, STRIDE = map(int, sys.argv[2].split("/"))
        del sys.argv[1:3]
    if sys.argv[1:2] == ["--each"]:
        EACH = True
        del sys.argv[1]
    harness.main()

#!/usr/bin/env python3
"""heddle show: the report of a failure as the search printed it, from what was saved, without an execution.

That this holds for every kind of failure is checked by repeat_failures.py, which shows whatever it finds.
"""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import PROGRAMS, SOURCE, built

KINDS = {
    "deadlock/philosophers.cc": ["deadlock"],
    "failures/exception.cc": ["exception"],
    "failures/null_pointer.cc": ["crash"],
    "memory/use_after_free.cc": ["use-after-free"],
    "races/lost_update.c": ["data-race"],
    "fair/philosophers.cc": ["livelock"],
}


def report(text):
    """Without the verdict, its last line."""
    return "".join(text.splitlines(True)[:-1])


class Show(harness.CommandTest):
    def found(self, source, *arguments):
        """Runs the program, in a folder of its own, until it fails; the search's report."""
        self.program = self.dir / source.stem
        shutil.copy(built(source), self.program)
        return report(self.heddle("run", "--samplers", "none", f"./{source.stem}", *arguments, exit=1).out)

    def lost_update(self):
        return self.found(harness.HERE / "updates.c", 2, 1, "split")

    def refused(self, *words, says):
        ran = self.heddle("show", *words, exit=2)
        self.assertEqual(ran.out, "")
        self.assertTrue(ran.err.startswith("heddle: "), ran)
        self.assertEqual(ran.err.count("\n"), 1, ran)
        for text in says:
            self.assertIn(text, ran.err)

    def test_kinds(self):
        for name, kinds in KINDS.items():
            with self.subTest(name):
                searched = self.found(PROGRAMS / name)
                for kind in kinds:
                    self.assertIn(f"FAILED  {kind}", searched)
                self.program.unlink()
                schedule = f"heddle-out/{self.program.name}-1.heddle"
                self.assertEqual(self.heddle("show", schedule, exit=0).out, searched)
                trace = schedule.replace(".heddle", ".trace")
                self.assertEqual(self.heddle("show", trace, exit=0).out, searched)

    def test_each_of_several(self):
        program = built(PROGRAMS / "failures" / "keep_going.cc")
        searched = self.heddle("run", "--keep-going", program, exit=1).out
        count = len(list(self.dir.glob("heddle-out/*.heddle")))
        self.assertGreater(count, 1)
        for i in range(1, count + 1):
            shown = self.heddle("show", f"heddle-out/keep_going-{i}.heddle", exit=0).out
            self.assertIn(shown.replace("FAILED", f"FAILED ({i} of {count})", 1), searched)

    def test_of_a_check(self):
        program = self.dir / "stack_test"
        shutil.copy(built(SOURCE / "examples" / "stack_test.cc"), program)
        ran = subprocess.run([program], cwd=self.dir, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 1, ran)
        program.unlink()
        shown = self.heddle("show", "heddle-out/stack_test-1.heddle", exit=0).out
        self.assertIn("FAILED", shown)
        self.assertIn(shown, ran.stdout + ran.stderr)

    def test_the_source_as_it_was(self):
        source = self.dir / "table.cc"
        shutil.copy(SOURCE / "examples" / "philosophers.cc", source)
        searched = self.found(source)
        self.assertIn("std::lock_guard right(", searched)
        source.write_text("// gone\n" * 100)
        self.assertEqual(self.heddle("show", "heddle-out/table-1.heddle", exit=0).out, searched)
        source.unlink()
        self.assertEqual(self.heddle("show", "heddle-out/table-1.heddle", exit=0).out, searched)

    def test_files_that_were_moved(self):
        searched = self.lost_update()
        (self.dir / "heddle-out").rename(self.dir / "of monday")
        shown = self.heddle("show", "of monday/updates-1.heddle", exit=0).out
        moved = searched.replace("heddle replay heddle-out/updates-1.heddle", "heddle replay 'of monday/updates-1.heddle'")
        self.assertEqual(shown, moved)

    def test_without_the_schedule(self):
        searched = self.lost_update()
        (self.dir / "heddle-out" / "updates-1.heddle").unlink()
        shown = self.heddle("show", "heddle-out/updates-1.trace", exit=0).out
        self.assertEqual(shown, searched + "note: heddle-out/updates-1.heddle is gone: "
                         "the failure can be shown, not replayed\n")

    def test_a_trace_that_cannot_be_written(self):
        """The failure is told, and its schedule saved."""
        trace = self.dir / "heddle-out" / "updates-1.trace"
        trace.mkdir(parents=True)
        (trace / "something").touch()
        searched = self.lost_update()
        self.assertIn("FAILED  exit", searched)
        self.assertIn("note: the trace was not saved: cannot write heddle-out/updates-1.trace", searched)
        self.heddle("replay", "heddle-out/updates-1.heddle", exit=1)
        self.assertEqual(sorted(path.name for path in trace.parent.iterdir()), ["updates-1.heddle", "updates-1.trace"])

    def test_bad_files(self):
        self.lost_update()
        schedule, trace = "heddle-out/updates-1.heddle", self.dir / "heddle-out/updates-1.trace"
        replay = f"type: heddle replay {schedule}"
        whole = trace.read_bytes()
        trace.write_bytes(whole[:-7])
        self.refused(schedule, says=["updates-1.trace is damaged", replay])
        trace.write_bytes(whole.replace(b"heddle trace ", b"heddle trace 9", 1))
        self.refused(schedule, says=["saved by another version of heddle", replay])
        trace.write_bytes(b"#!/bin/sh\n")
        self.refused(schedule, says=["updates-1.trace is no trace", replay])
        trace.unlink()
        # What stands in the schedule itself.
        shown = self.heddle("show", schedule, exit=0).out
        for text in ["schedule of exit", "updates 2 1 split", "option     accesses sync", "thread ",
                     f"heddle replay {schedule}"]:
            self.assertIn(text, shown)
        self.refused(trace, says=["there is no trace", "heddle replay"])
        trace.write_bytes(whole)
        self.heddle("show", schedule, exit=0)
        (self.dir / schedule).write_text("nonsense\n")
        self.refused(schedule, says=["this is not a schedule of heddle's"])
        self.refused("no-such.heddle", says=["no-such.heddle: there is no such file"])

    def test_the_trace_of_another_schedule(self):
        self.found(PROGRAMS / "deadlock" / "philosophers.cc")
        self.lost_update()
        shutil.copy(self.dir / "heddle-out/philosophers-1.trace", self.dir / "heddle-out/updates-1.trace")
        says = ["heddle-out/updates-1.trace is not the trace of heddle-out/updates-1.heddle",
                "type: heddle replay heddle-out/updates-1.heddle"]
        self.refused("heddle-out/updates-1.heddle", says=says)

    def script(self, name, exit=0):
        """The lines of the script between its head and its end."""
        shown = self.heddle("show", "--script", f"heddle-out/{name}-1.heddle", exit=exit).out
        head, _, body = shown.partition("heddle::scenario([](heddle::Script& s) {\n")
        self.assertIn("#include <heddle/scenario.h>\n", head)
        self.assertTrue(body.endswith("  return report.exit_code();\n}\n"), shown)
        return body.splitlines()[:-4]

    def test_script_of_a_lost_update(self):
        """Both threads read before one of them writes; all objects have names."""
        self.found(SOURCE / "examples" / "counter.cc")
        self.program.unlink()
        self.assertEqual(self.script("counter"), [
            '    auto t0 = s.thread("main", program_under_test);',
            "    s.transfer(t0).until(blocked);  // waits for T1 to end, counter.cc:16: first.join();",
            "    auto increase_1 = s.next_thread();  // T1",
            "    auto increase_2 = s.next_thread();  // T2",
            "    s.transfer(increase_1).until(writes(counter));  // counter.cc:10: counter.store(seen + 1);",
            "    s.transfer(increase_2).until(end);",
            "    s.transfer(increase_1).until(end);",
            "    s.transfer(t0).until(end);  // fails: assertion",
            "    while (!s.all_ended()) s.transfer(any).until(end);",
        ])

    def test_script_of_a_deadlock(self):
        self.found(SOURCE / "examples" / "philosophers.cc")
        script = [line.partition("  // ")[0].strip() for line in self.script("philosophers")]
        self.assertEqual(script[5:], [
            "s.transfer(philosopher_3).until(locks(forks[0]));",
            "s.transfer(philosopher_2).until(blocked);",
            "s.transfer(philosopher_1).until(blocked);",
            "while (!s.all_ended()) s.transfer(any).until(end);",
        ])

    def test_script_of_a_livelock(self):
        """What is left of one round stands in a loop."""
        self.found(PROGRAMS / "fair" / "philosophers.cc")
        script = [line.partition("  // ")[0] for line in self.script("philosophers")]
        begin = script.index("    for (int i = 0; i < 100 && !s.all_ended(); ++i) {")
        self.assertEqual(script[-2:], ["    }", "    HEDDLE_ASSERT(s.all_ended());"])
        for line in script[begin + 1 : -2]:
            self.assertRegex(line, r"^      s\.transfer\(t[01]\)\.until\(.*\);$")

    def test_script_with_options(self):
        self.heddle("run", "--accesses", "all", built(SOURCE / "examples" / "counter.cc"), exit=1)
        shown = self.heddle("show", "--script", "heddle-out/counter-1.heddle", exit=0).out
        self.assertIn('  }, heddle::Options{}.set("accesses", "all"));\n', shown)

    def test_usage(self):
        self.refused(says=["no schedule given; type: heddle show [OPTIONS] FILE.heddle"])
        self.refused("a.heddle", "b.heddle", says=["leave out b.heddle"])
        self.refused("--jobs", "2", "a.heddle", says=["--jobs"])
        self.assertIn("heddle show [OPTIONS] FILE", self.heddle("show", "--help", exit=0).out)
        self.assertEqual(self.heddle("help", "show", exit=0).out, self.heddle("show", "-h", exit=0).out)


if __name__ == "__main__":
    harness.main()

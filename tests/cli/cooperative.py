#!/usr/bin/env python3
"""heddle cooperative: whether what a thread does between its yield points is like one step."""

import os
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import HERE, built

REDUCED = ["--strategy", "best-first", "--reduce", "dpor"]


def timeless(report):
    return {**report, "seconds": None}


class Cooperative(harness.CommandTest):
    def checked(self, program, *options, exit):
        report = self.heddle("cooperative", "--json", "-", *options, program, exit=exit).json
        self.assertEqual(report["exit_code"], exit)
        return report

    def changed(self, name, source, places):
        """The source with what the report says is to be typed, before each of the lines."""
        lines = (HERE / source).read_text().splitlines()
        for place in sorted(places, key=lambda place: -place["line"]):
            lines.insert(place["line"] - 1, place["type"] + ";")
        (self.dir / name).write_text("\n".join(lines) + "\n")
        return built(self.dir / name)

    def test_check_then_act(self):
        # A looks, A takes, B looks (and sees that there is none): 1, and the same the other way round.
        # Both look, which has two orders, and both take, which has two: 4. These are not serialisable.
        report = self.checked(built("seats.cc"), *REDUCED, exit=1)
        self.assertEqual(report["verdict"], "not cooperable")
        self.assertEqual(report["looked_at"], 6)
        self.assertTrue(report["complete"])
        (place,) = report["places"]
        self.assertEqual(place["function"], "take()")
        self.assertEqual(place["executions"], 4)
        (case,) = place["cases"]
        before, after, entry, exit = case["steps"]
        self.assertEqual([before["operation"], after["operation"]], ["unlock mutex m", "lock mutex m"])
        self.assertEqual(after["location"], place["location"])
        self.assertEqual(before["thread"], after["thread"])
        self.assertEqual(entry["operation"], "lock mutex m")
        self.assertEqual(exit["operation"], "unlock mutex m")
        self.assertNotIn(before["thread"], (entry["thread"], exit["thread"]))

    def test_what_it_says_is_enough(self):
        for source, lines in (("seats.cc", 1), ("racy_counter.cc", 1)):
            with self.subTest(source):
                places = self.checked(built(source), exit=1)["places"]
                self.assertEqual(len(places), lines)
                after = self.checked(self.changed("after_" + source, source, places), exit=0)
                self.assertEqual(after["verdict"], "cooperable")
                self.assertEqual(after["places"], [])
                self.assertTrue(after["complete"])

    def test_racing_accesses(self):
        # Of the four classes (see yields.py) those are serialisable in which one thread ends before
        # the other begins.
        report = self.checked(built("racy_counter.cc"), *REDUCED, exit=1)
        self.assertEqual(report["looked_at"], 4)
        self.assertEqual([place["executions"] for place in report["places"]], [2])
        self.assertTrue(report["places"][0]["race"])

    def test_waits_are_yield_points(self):
        report = self.checked(built("correct_queue.cc"), exit=0)
        self.assertEqual(report["verdict"], "cooperable")
        self.assertTrue(report["complete"])

    def test_this_thread_yield_is_one(self):
        source = (HERE / "seats.cc").read_text().replace("  take();", "  std::this_thread::yield();\n  take();")
        (self.dir / "yielding.cc").write_text(source)
        self.checked(built(self.dir / "yielding.cc"), exit=0)

    def test_yield_points_can_be_compiled_out(self):
        source = (HERE / "seats.cc").read_text().replace("  take();", '  HEDDLE_YIELD("book");\n  take();')
        (self.dir / "out.cc").write_text(source)
        self.checked(built(self.dir / "out.cc"), exit=0)
        self.checked(built(self.dir / "out.cc", "-DHEDDLE_NO_YIELDS"), exit=1)

    def test_reduction_leaves_no_class_out(self):
        for source in ("seats.cc", "racy_counter.cc", "correct_queue.cc"):
            with self.subTest(source):
                code = 0 if source == "correct_queue.cc" else 1
                reduced = self.checked(built(source), *REDUCED, exit=code)
                whole = self.checked(built(source), "--strategy", "dfs", "--executions", "1000000", exit=code)
                self.assertTrue(reduced["complete"] and whole["complete"])
                self.assertLess(reduced["looked_at"], whole["looked_at"])
                self.assertEqual([place["location"] for place in reduced["places"]],
                                 [place["location"] for place in whole["places"]])  # fmt: skip

    def test_a_deadlock_that_whole_pieces_cannot_have(self):
        source = "#include <heddle/heddle.h>\n#include <mutex>\n#include <thread>\nstd::mutex a, b;\n" \
            "void both(std::mutex& one, std::mutex& two) {\n  one.lock();\n  two.lock();\n  two.unlock();\n" \
            "  one.unlock();\n}\n" \
            "int main() {\n  std::thread x(both, std::ref(a), std::ref(b)), y(both, std::ref(b), std::ref(a));\n" \
            "  x.join();\n  y.join();\n}\n"  # fmt: skip
        (self.dir / "locks.cc").write_text(source)
        # Who gets both first, and the deadlock.
        report = self.checked(built(self.dir / "locks.cc"), *REDUCED, exit=1)
        self.assertEqual((report["looked_at"], report["failing_executions"]), (3, 1))
        (place,) = report["places"]
        self.assertEqual((place["line"], place["executions"]), (7, 1))
        waiting = [step["operation"] for step in place["cases"][0]["steps"]]
        self.assertRegex(" ".join(waiting), r"lock mutex . lock mutex . \(still waiting\)")
        # The deadlock is then one of pieces.
        (self.dir / "yields.cc").write_text(source.replace("  two.lock", '  HEDDLE_YIELD("");\n  two.lock'))
        self.assertEqual(self.checked(built(self.dir / "yields.cc"), *REDUCED, exit=0)["failing_executions"], 1)

    def test_incomplete(self):
        ran = self.heddle("cooperative", "--executions", "3", built("correct_queue.cc"), exit=0)
        last = ran.out.splitlines()[-1]
        self.assertRegex(
            last, r"^incomplete: no interference in what was seen; budget exhausted \(--executions 3\) after 3 "
        )
        report = self.checked(built("correct_queue.cc"), "--executions", "3", exit=0)
        self.assertEqual(report["verdict"], "incomplete")
        self.assertFalse(report["complete"])

    def test_within_a_bound(self):
        ran = self.heddle("cooperative", "--preemptions", "0", built("seats.cc"), exit=0)
        words = r"^incomplete: no interference in what was seen; all schedules without preemptions, "
        self.assertRegex(ran.out.splitlines()[-1], words)

    def test_races_have_to_be_seen(self):
        err = self.heddle("cooperative", "--races", "ignore", built("racy_counter.cc"), exit=2).err
        self.assertIn("unknown option --races", err)

    def test_does_not_depend_on_jobs(self):
        one, two = (self.checked(built("seats.cc"), "--jobs", jobs, exit=1) for jobs in ("1", "2"))
        self.assertEqual(timeless(one), timeless(two))

    def test_text(self):
        text = self.heddle("cooperative", built("seats.cc"), exit=1).out
        self.assertRegex(
            text,
            r'seats\.cc:\d+  HEDDLE_YIELD\("take:\d+"\);  \(\d+ of \d+ executions\)\n'
            r"    between T\d's unlock mutex m at seats\.cc:\d+\n"
            r"        and its lock mutex m at seats\.cc:\d+\n"
            r"    came T\d's lock mutex m at seats\.cc:\d+\n"
            r"     and T\d's unlock mutex m at seats\.cc:\d+\n",
        )
        self.assertRegex(text.splitlines()[-1], r"^not cooperable: interference at 1 place; all schedules ")


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""What is told of a failure beside its schedule: the same whatever the number of jobs, saved with the search, in text and
in JSON; and not at all with --explain off.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import PROGRAMS, built, timeless


class Explain(harness.CommandTest):
    def test_text_and_json_agree(self):
        """Two threads that increase a number, each in two steps. After the second has read too, one of the two is lost
        in any case; if the first writes before that, it passes."""
        report = self.search("--strategy", "random", "--seed", 3, built("former.cc"), exit=1)
        (failure,) = report["failures"]
        critical, twin = failure["critical"], failure["twin"]
        self.assertEqual((failure["preemptions"], failure["fewest"]), (1, True))
        self.assertEqual((critical["operation"], critical["all"]), ("atomic load", True))
        self.assertTrue(twin["adjacent"])
        self.assertEqual([step["operation"] for step in twin["failing"]], ["atomic load", "atomic store"])
        self.assertEqual([step["operation"] for step in twin["passing"]], ["atomic store", "atomic load"])
        self.assertEqual([step["thread"] for step in twin["failing"]], [step["thread"] for step in twin["passing"]][::-1])
        text = self.heddle("show", failure["schedule"], exit=0).out
        self.assertIn(f"After step {critical['step']} every execution fails (", text)
        self.assertRegex(text, r"\n  fails +[0-9]+  T[12]: atomic load.*\n.*\n  passes +[0-9]+  T[12]: atomic store")
        self.assertEqual("simplified from" in text, failure["simplified"])
        self.assertIn("A test to keep:\n", text)

    def test_every_schedule_fails(self):
        source = self.dir / "always.cc"
        source.write_text(
            "#include <heddle/heddle.h>\n#include <thread>\n#include <atomic>\nstd::atomic<int> n;\n"
            "int main() { std::thread t([] { ++n; }); ++n; t.join(); HEDDLE_ASSERT(n == 3); }\n"
        )
        ran = self.heddle("run", "--json", "report", built(source), exit=1)
        # Main begins, creates, then its ++ and the join against begin, ++ and end of the other, and the assertion. By the
        # two orders of ++ there are two classes.
        self.assertRegex(ran.out, r"Every schedule fails \(all [0-9]+ were tried\)")

    def test_jobs(self):
        for strategy in ("auto", "random"):
            words = ["--strategy", strategy, "--keep-going", "--executions", 300]
            program = built(PROGRAMS / "deadlock" / "philosophers.cc")
            one = self.search(*words, "--jobs", 1, program, exit=1)
            two = self.search(*words, "--jobs", 2, program, exit=1)
            self.assertEqual(timeless(one)["failures"], timeless(two)["failures"])

    def test_off(self):
        words = ["--strategy", "random", "--seed", 3, built("former.cc")]
        (failure,) = self.search("--explain", "off", *words, exit=1)["failures"]
        found = {field: failure[field] for field in ("steps", "preemptions", "switches")}
        self.assertEqual(failure["found"], found)
        told = [failure[field] for field in ("simplified", "fewest", "critical", "twin")]
        self.assertEqual(told, [False, False, None, None])
        (simple,) = self.search(*words, exit=1)["failures"]
        self.assertEqual((simple["execution"], simple["found"]), (failure["execution"], found))

    def test_resumed(self):
        """A search that goes on tells of what it has found before, all of it."""
        words = ["--strategy", "dfs", "--keep-going", built("former.cc")]
        whole = self.search(*words, exit=1)
        executions = whole["failures"][0]["execution"] + 1
        self.search("--executions", executions, *words, exit=1)
        resumed = self.search("--resume", *words, exit=1)
        self.assertEqual(resumed["failures"], whole["failures"])

    def test_budget(self):
        """Many different failures: there is an end to it, and all are told."""
        report = self.search("--keep-going", "--strategy", "dfs", built(PROGRAMS / "failures" / "keep_going.cc"), exit=1)
        self.assertGreater(len(report["failures"]), 1)
        for failure in report["failures"]:
            self.assertIsNotNone(failure["found"])


if __name__ == "__main__":
    harness.main()

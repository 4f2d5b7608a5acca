#!/usr/bin/env python3
"""--list-executions: a line for each execution, which agrees with the JSON."""

import os
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import PROGRAMS, built

HEAD = ["fingerprint", "sequence", "ending", "failure_key", "steps"]


class ListExecutions(harness.CommandTest):
    def listed(self, text):
        head, *lines = map(str.split, text.splitlines())
        self.assertEqual(head, HEAD)
        return [dict(zip(HEAD, line, strict=True)) for line in lines]

    def test_agrees_with_the_json(self):
        assumption = self.dir / "assumption.cc"
        assumption.write_text(
            "#include <heddle/heddle.h>\nint main() { heddle::assume(heddle::choose(5) != 3); }\n"
        )
        for program in [PROGRAMS / "failures" / "keep_going.cc", assumption]:
            with self.subTest(program):
                words = ["--strategy", "dfs", "--keep-going", "--list-executions", "list"]
                report = self.search(*words, built(program))
                lines = self.listed((self.dir / "list").read_text())
                endings = [line["ending"] for line in lines]
                failing = [line for line in lines if line["ending"] not in ("finished", "pruned")]
                counted = [line for line in lines if line["ending"] != "pruned"]
                self.assertEqual(len(lines), report["executions"])
                self.assertEqual(endings.count("pruned"), report["pruned"])
                self.assertEqual(len(failing), report["failing_executions"])
                self.assertEqual(len({line["failure_key"] for line in failing}), len(report["failures"]))
                kinds = {failure["kind"] for failure in report["failures"]}
                self.assertEqual({line["ending"] for line in failing}, kinds)
                self.assertEqual(len({line["fingerprint"] for line in counted}), report["distinct"])
                self.assertEqual(len({line["sequence"] for line in lines}), len(lines))
                self.assertEqual(sum(int(line["steps"]) for line in lines), report["steps"])
                self.assertTrue(all(int(line["failure_key"], 16) == 0 for line in counted
                                    if line["ending"] == "finished"))  # fmt: skip

    def test_standard_output(self):
        ran = self.heddle("run", "--list-executions", "-", built("updates.c"), "2", "2", exit=0)
        self.assertIn(f": {len(self.listed(ran.out))} executions", ran.err)
        both = ["--list-executions", "-", "--json", "-"]
        ran = self.heddle("run", *both, built("updates.c"), "2", "2", exit=2)
        self.assertIn("--list-executions list.txt", ran.err)

    def test_a_search_that_begins_anew(self):
        """With --races explore; the file holds the executions of the last beginning."""
        source = self.dir / "race.cc"
        source.write_text(
            "#include <thread>\nint x;\n"
            "int main() { std::thread t([] { ++x; }); ++x; t.join(); }\n"
        )
        words = ["--races", "explore", "--list-executions", "list", built(source)]
        report = self.search(*words, exit=0)
        self.assertIn("threads were also switched", " ".join(report["notes"]))
        self.assertGreater(report["learning"], 0)
        of_the_last = report["executions"] - report["learning"]
        self.assertEqual(len(self.listed((self.dir / "list").read_text())), of_the_last)

    def test_full_disk(self):
        """No reason to lose what was found."""
        words = ["--list-executions", "/dev/full", built("updates.c"), "3", "2", "split"]
        ran = self.heddle("run", *words, exit=1)
        self.assertIn("the list is not complete: No space left on device", ran.out)


if __name__ == "__main__":
    harness.main()

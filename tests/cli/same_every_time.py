#!/usr/bin/env python3
"""A search is the same every time, and for every number of workers: all of its JSON but the time."""

import os
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import PROGRAMS, SOURCE, built, timeless

BENCH = SOURCE / "bench" / "programs"

STRATEGIES = [
    ("--strategy", "dfs"),
    ("--strategy", "dfs", "--preemptions", "2"),
    ("--strategy", "best-first", "--order", "pb"),
    ("--strategy", "best-first", "--order", "rand", "--seed", "3", "--preemptions", "none"),
    ("--strategy", "dfs", "--delays", "8"),
    ("--strategy", "random", "--seed", "7", "--executions", "3000"),
]


class Same(harness.CommandTest):
    def same(self, options, program, exit, jobs=(1, 1, 2, 3)):
        """The JSON of the first run, after a comparison with those of the others."""
        first, *others = [
            timeless(self.search("--jobs", count, *options, *program, exit=exit)) for count in jobs
        ]
        for count, other in zip(jobs[1:], others):
            self.assertEqual(other, first, f"--jobs {count}, {options}")
        return first

    def test_passing(self):
        program = [built("updates.c"), "2", "4"]
        for options in STRATEGIES:
            with self.subTest(options):
                report = self.same(options, program, exit=0)
                self.assertEqual(report["failures"], [])
                self.assertGreater(report["executions"], 20)

    def test_failing(self):
        program = [built("updates.c"), "3", "2", "split"]
        for options in STRATEGIES:
            with self.subTest(options):
                report = self.same(options, program, exit=1)
                self.assertEqual(report["failures"][0]["execution"], report["executions"])

    def test_several_failures(self):
        program = [built(PROGRAMS / "failures" / "keep_going.cc")]
        for options in STRATEGIES:
            with self.subTest(options):
                first = self.same(options, program, exit=1, jobs=(1, 3))
                report = self.same(("--keep-going", *options), program, exit=1)
                self.assertEqual(report["failures"][0], first["failures"][0])
                self.assertEqual(len(report["failures"]), 4)
                numbers = [failure["execution"] for failure in report["failures"]]
                self.assertEqual(numbers, sorted(numbers))

    def test_what_workers_tell(self):
        """With one worker the engine looks at short executions itself; of two, each tells what it has seen. The fringe
        has the same order, execution by execution."""
        bounded = [("--order", order, *bound) for order in ("ss,mdpor", "dpor", "mdpor,pb", "rand,ss")
                   for bound in (("--preemptions", "2"), ("--delays", "3"), ("--preemptions", "none"))]
        for program in (["buffer", "2"], ["lastzero", "3"]):
            words = [built(BENCH / "reduction.cc"), *program]
            for options in [*bounded, ("--reduce", "dpor", "--order", "mdpor,pb")]:
                lists = []
                for jobs in (1, 2, 3):
                    search = ["--strategy", "best-first", "--executions", "3000", "--jobs", jobs, *options]
                    self.search(*search, "--list-executions", "list", *words)
                    lists.append((self.dir / "list").read_text())
                with self.subTest(options):
                    self.assertGreater(len(lists[0].splitlines()), 3)
                    self.assertEqual(lists[0], lists[1])
                    self.assertEqual(lists[0], lists[2])

    def test_crashes(self):
        program = [built(PROGRAMS / "containment" / "crash_every_second.cc")]
        options = ("--keep-going", "--preemptions", "none")
        report = self.same(options, program, exit=1, jobs=(1, 2, 3))
        self.assertEqual(report["failing_executions"], 256)

    def test_other_isolations(self):
        program = [built("updates.c"), "2", "3", "split"]
        reports = [
            # Where each execution is a process, fewer of them go into an explanation.
            self.same(("--keep-going", "--isolation", how, "--executions", "100", "--explain", "off"), program, exit=1,
                      jobs=(1, 3))
            for how in ["snapshot", "fork"]
        ]
        self.assertEqual(reports[0], reports[1])

    def test_addresses_do_not_matter(self):
        program = [built("updates.c"), "3", "2", "split"]
        options = ("--keep-going", "--executions", "2000", *program)
        plain = timeless(self.search(*options, exit=1))
        randomised = timeless(self.search(*options, exit=1, env={"HEDDLE_ASLR": "1"}))
        self.assertEqual(randomised, plain)

    def test_names_of_the_program_do_not_matter(self):
        program = built("updates.c")
        reports = []
        for name in [program, f"./{program.name}", f"../{program.parent.name}/{program.name}"]:
            out = ("--out", self.dir / "out")
            report = timeless(self.search(*out, name, "3", "2", "split", exit=1, cwd=program.parent))
            self.assertEqual(report.pop("program"), [str(name), "3", "2", "split"])
            for failure in report["failures"]:
                self.assertIn(str(name), failure.pop("test_to_keep"))
            reports.append(report)
        self.assertEqual(reports[1:], reports[:1] * 2)

    def test_seeds(self):
        program = [built("updates.c"), "2", "3", "split"]
        reports = {}
        for seed in ["1", "2", "3", "18446744073709551615"]:
            options = ("--strategy", "random", "--executions", "500", "--keep-going", "--seed", seed)
            reports[seed] = self.same(options, program, exit=1, jobs=(1, 2))
            self.assertEqual(reports[seed]["strategy"]["seed"], int(seed))
        seen = {(r["failing_executions"], r["distinct"], r["steps"]) for r in reports.values()}
        self.assertEqual(len(seen), len(reports), seen)
        default = timeless(self.search("--strategy", "random", "--executions", "500", "--keep-going",
                                       *program, exit=1))
        self.assertEqual(default, reports["1"])


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""`auto` goes from small to large: 0, 1 and 2 preemptions, then all schedules; and says how far it came. Samplers run
beside the stages, and are counted beside them: portfolio.py looks at these."""

import os
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import built

NAMES = ["no preemptions", "at most 1 preemption", "at most 2 preemptions", "any number of preemptions"]
ORDERS = ["ss,mdpor", "ss,mdpor", "ss,mdpor", "mdpor,pb"]


class Stages(harness.CommandTest):
    def counts(self, report):
        return [stage["executions"] for stage in report["strategy"]["stages"]]

    def sampled(self, report):
        return sum(sampler["executions"] for sampler in report["strategy"]["sampled"])

    def within(self, *words):
        """The schedules with at most 0, 1 and 2 preemptions, counted by depth-first search."""
        options = ["--strategy", "dfs", "--preemptions"]
        return [self.search(*options, bound, *words, exit=0)["executions"] for bound in range(3)]

    def test_complete(self):
        """Three threads that add twice: 6! / 2!^3 = 90 classes."""
        program = [built("updates.c"), "3", "2"]
        zero, one, two = self.within(*program)
        ran = self.heddle("run", "--json", "-", *program, exit=0)
        report = ran.json
        self.assertEqual((report["verdict"], report["strategy"]["name"]), ("passed", "auto"))
        stages = report["strategy"]["stages"]
        self.assertEqual([stage["name"] for stage in stages], NAMES)
        self.assertEqual([stage["order"] for stage in stages], ORDERS)
        self.assertEqual([stage["preemptions"] for stage in stages], [0, 1, 2, None])
        self.assertEqual([stage["reduce"] for stage in stages], ["none", "none", "none", "dpor"])
        self.assertTrue(all(stage["complete"] and stage["seconds"] >= 0 for stage in stages))
        last = 90 + report["redundant"]
        self.assertEqual(self.counts(report), [zero, one - zero, two - one, last])
        samples = self.sampled(report)
        self.assertEqual(report["executions"], two + last + samples)
        self.assertEqual(report["distinct"], 90)  # the bounded stages and the samplers have seen none besides
        coverage = report["coverage"]
        self.assertEqual(
            (coverage["complete"], coverage["preemptions"], coverage["reduce"]), (True, None, "dpor")
        )
        self.assertEqual(coverage["completed_preemptions"], 2)
        self.assertRegex(
            ran.err,
            f"^passed: all schedules with any number of preemptions at .*: {two + last + samples:,} executions "
            rf"\({two:,} with at most 2 preemptions, then {last}, one of each class of equivalent ones\), "
            f"{report['redundant']} of them redundant, {samples} of them sampled; ",
        )

    def test_nothing_held_back(self):
        """One thread beside main, of one step: no schedule has three preemptions."""
        program = [built("updates.c"), "1", "1"]
        ran = self.heddle("run", "--json", "-", *program, exit=0)
        whole = self.search("--strategy", "dfs", *program, exit=0)
        report = ran.json
        self.assertEqual(report["executions"], whole["executions"])
        self.assertEqual(report["coverage"]["complete"], True)
        self.assertEqual(report["coverage"]["preemptions"], None)
        self.assertEqual(report["coverage"]["reduce"], "none")
        self.assertTrue(all(stage["preemptions"] is not None for stage in report["strategy"]["stages"]))
        self.assertRegex(ran.err, "^passed: all schedules with any number of preemptions at [a-z ]*: [0-9]+ exec")

    def test_budget(self):
        """To the execution, over all stages; what is complete is told, and nothing else. Without samplers (--reduce is
        given) it is known which budget is enough for what."""
        program = ["--reduce", "none", built("updates.c"), "2", "2"]
        whole = self.search(*program, exit=0)
        counts = self.counts(whole)
        self.assertEqual(self.sampled(whole), 0)
        zero, one, two = self.within(*program[2:])
        for budget in [1, zero - 1, zero, zero + 1, one, two - 1, two, two + 1, sum(counts) - 1, sum(counts)]:
            for jobs in [1, 2]:
                with self.subTest(budget=budget, jobs=jobs):
                    report = self.search("--executions", budget, "--jobs", jobs, *program, exit=0)
                    self.assertEqual(report["executions"], budget)
                    self.assertEqual(sum(self.counts(report)), budget)
                    done = [bound for bound, count in enumerate([zero, one, two]) if count <= budget]
                    self.assertEqual(
                        report["coverage"]["completed_preemptions"], done[-1] if done else None
                    )
                    passed = budget == sum(counts)
                    self.assertEqual(report["verdict"], "passed" if passed else "incomplete")
                    self.assertEqual(report["coverage"]["complete"], passed)

    def test_budget_with_samplers(self):
        """To the execution; a stage is complete if it has run what it does without them."""
        program = [built("updates.c"), "3", "2"]
        bounds = self.within(*program)
        whole = self.search(*program, exit=0)["executions"]
        for budget in [1, 30, 100, 500, bounds[2], whole - 1, whole]:
            for jobs in [1, 2]:
                with self.subTest(budget=budget, jobs=jobs):
                    report = self.search("--executions", budget, "--jobs", jobs, *program, exit=0)
                    staged = sum(self.counts(report))
                    self.assertEqual((report["executions"], staged + self.sampled(report)), (budget, budget))
                    done = [bound for bound, count in enumerate(bounds) if count <= staged]
                    self.assertEqual(
                        report["coverage"]["completed_preemptions"], done[-1] if done else None
                    )
                    self.assertEqual(report["verdict"], "passed" if budget == whole else "incomplete")

    def test_text_of_a_budget(self):
        program = [built("updates.c"), "3", "2"]
        zero, one, two = self.within(*program)
        # Without samplers, by a bound or a reduction that is given.
        out = self.heddle("run", "--executions", one + 7, "--preemptions", "none", *program, exit=0).out
        self.assertIn(f": all {one} with at most 1 preemption, then 7 with 2 preemptions so far; ", out)
        ran = self.heddle("run", "--json", "-", "--executions", 600, *program, exit=0)
        samples = self.sampled(ran.json)
        self.assertGreater(samples, 0)
        self.assertIn(
            f" after 600 executions, {samples} of them sampled: no failure in what was seen: all {one} with at most 1 "
            f"preemption, then {600 - samples - one} with 2 preemptions so far; ",
            ran.err,
        )

    def test_bounded(self):
        """With a bound there are the bounds up to it, and nothing else."""
        program = [built("updates.c"), "2", "3"]
        for bound in [0, 1, 3]:
            plain = self.search("--strategy", "dfs", "--preemptions", bound, *program, exit=0)
            ran = self.heddle("run", "--json", "-", "--preemptions", bound, *program, exit=0)
            report = ran.json
            self.assertEqual(report["executions"], plain["executions"])
            self.assertEqual(report["distinct"], plain["distinct"])
            self.assertEqual(len(report["strategy"]["stages"]), bound + 1)
            self.assertEqual(report["coverage"]["preemptions"], bound)
            self.assertEqual(report["verdict"], "passed")
        self.assertRegex(ran.err, "^passed: all schedules with at most 3 preemptions at .*: [0-9]+ executions; ")

    def test_reduction_beside(self):
        """Seven threads that have nothing to do with each other: 7! orders without a preemption, but one class. When the
        bounds have run for a while reduction begins beside them, and ends the search; in pieces and over two jobs it is
        the same search."""
        program = [built("updates.c"), "7", "1", "own"]
        ran = self.heddle("run", "--list-executions", "list", "--json", "-", *program, exit=0)
        report = ran.json
        whole = (self.dir / "list").read_text().splitlines()[1:]
        self.assertEqual((report["verdict"], report["distinct"]), ("passed", 1))
        self.assertEqual(len(whole), report["executions"])
        stages = report["strategy"]["stages"]
        self.assertEqual([stage["name"] for stage in stages], [NAMES[0], NAMES[3]])
        self.assertEqual([stage["complete"] for stage in stages], [False, True])
        bounded, last = self.counts(report)
        self.assertEqual(last, 1)
        self.assertLess(bounded, 2 * 2048)
        coverage = report["coverage"]
        self.assertEqual((coverage["complete"], coverage["reduce"]), (True, "dpor"))
        self.assertIsNone(coverage["completed_preemptions"])
        self.assertIn(f" ({bounded:,} without preemptions and 1, one of each class of equivalent ones), ", ran.err)
        self.search("--list-executions", "list", "--jobs", 2, *program, exit=0)
        self.assertEqual((self.dir / "list").read_text().splitlines()[1:], whole)
        pieces = []
        for budget in [["--executions", len(whole) - 300], ["--resume", "--executions", 100], ["--resume"]]:
            self.search("--list-executions", "list", *budget, *program, exit=0)
            pieces += (self.dir / "list").read_text().splitlines()[1:]
        self.assertEqual(pieces, whole)

    def test_failure_beside(self):
        """What the search of all schedules finds says so, and counts there."""
        program = ["--samplers", "none", "--keep-going", built("updates.c"), "5", "2", "split"]
        report = self.search("--executions", 4000, *program, exit=1)
        self.assertEqual(sum(self.counts(report)), 4000)
        self.assertEqual([stage["reduce"] for stage in report["strategy"]["stages"]][-1], "dpor")
        names = {stage["name"] for stage in report["strategy"]["stages"]}
        self.assertLessEqual({failure["stage"] for failure in report["failures"]}, names)

    def test_other_last_stages(self):
        program = [built("updates.c"), "2", "2"]
        _, _, two = self.within(*program)
        all_schedules = self.search("--strategy", "dfs", *program, exit=0)["executions"]
        plain = self.search("--reduce", "none", *program, exit=0)
        self.assertEqual(self.counts(plain)[3:], [all_schedules])
        self.assertEqual(plain["executions"], two + all_schedules)
        self.assertEqual(plain["coverage"]["reduce"], "none")
        reduced = self.search("--reduce", "dpor", *program, exit=0)
        self.assertEqual(self.counts(reduced), [6 + reduced["redundant"]])  # 4! / 2!^2
        self.assertEqual(reduced["coverage"]["reduce"], "dpor")
        spurious = self.search("--spurious", *program, exit=0)
        self.assertEqual(self.counts(spurious), self.counts(plain))
        none = self.search("--preemptions", "none", *program, exit=0)
        self.assertEqual(len(self.counts(none)), 4)
        for options in [["--depth", "7"], ["--delays", "2"]]:
            bounded = self.search(*options, *program, exit=0)
            self.assertEqual(bounded["verdict"], "passed")
            self.assertEqual(bounded["coverage"]["reduce"], "none")

    def test_who_found_it(self):
        """A lost update needs one preemption; the stages before are complete."""
        program = [built("updates.c"), "2", "2", "split"]
        ran = self.heddle("run", "--json", "-", *program, exit=1)
        failure = ran.json["failures"][0]
        self.assertEqual((failure["stage"], failure["preemptions"]), ("at most 1 preemption", 1))
        stages = ran.json["strategy"]["stages"]
        self.assertEqual([stage["complete"] for stage in stages], [True, False])
        self.assertEqual(sum(self.counts(ran.json)), ran.json["executions"])
        self.assertEqual(ran.json["coverage"]["completed_preemptions"], 0)
        self.assertRegex(ran.err, "Found in execution [0-9]+ \\(at most 1 preemption\\): ")
        self.assertIsNone(self.search("--strategy", "dfs", *program, exit=1)["failures"][0]["stage"])

    def test_keep_going(self):
        """On through all stages; what a stage has told, the next does not tell again."""
        program = [built("updates.c"), "2", "2", "split"]
        report = self.search("--keep-going", *program, exit=1)
        self.assertEqual(len(report["failures"]), 1)
        self.assertEqual([stage["complete"] for stage in report["strategy"]["stages"]], [True] * 4)
        self.assertTrue(report["coverage"]["complete"])
        self.assertGreater(report["failing_executions"], 1)

    def test_cut(self):
        """Nothing is complete if executions were cut."""
        program = [built("updates.c"), "2", "2"]
        report = self.search("--max-steps", "8", *program, exit=0)
        self.assertEqual(report["verdict"], "incomplete")
        self.assertIsNone(report["coverage"]["completed_preemptions"])
        self.assertFalse(any(stage["complete"] for stage in report["strategy"]["stages"]))

    def test_order_is_refused(self):
        ran = self.heddle("run", "--order", "pb", built("updates.c"), exit=2)
        self.assertIn("strategy auto has no order; type --strategy best-first --order pb", ran.err)


if __name__ == "__main__":
    harness.main()

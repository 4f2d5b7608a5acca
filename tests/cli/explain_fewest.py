#!/usr/bin/env python3
"""Simplified schedules: on thirty programs they fail as the execution did that was found, and no schedule with fewer
preemptions does, as a complete search with a lower bound shows.
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "bench", "bugs"))
import harness
import suite
from harness import PROGRAMS, built

# Of bench/bugs, and of tests/programs: small enough for a complete search with one preemption less.
BUGS = """account arithmetic_progression bluetooth carter01 circular_buffer condition_predicate deadlock01
    din_phil-2 double_checked early_destroy hand_over_hand lazy_init lock_upgrade log_buffer log_rotate lost_event
    nested_monitor peterson phase01 ref_count semaphore_miscount seqlock singleton string_buffer token_ring wrong_lock-1
    treiber_aba thread_order ticket-2 twostage-3 reorder-3""".split()
OTHERS = ["deadlock/philosophers.cc", "deadlock/lost_wakeup.cc", "races/lost_update.c", "races/check_then_act.c"]
LEAST = 30


class Fewest(harness.CommandTest):
    def programs(self):
        all_bugs = {program.name: program for program in suite.programs()}
        for name in BUGS:
            program = all_bugs[name]
            yield name, program.options, lambda program=program: built(program.source, *program.parameters)
        for name in OTHERS:
            yield name, [], lambda name=name: built(PROGRAMS / name)

    def keys(self, *words):
        """The report, and the key of the failure of each execution, without those that only learn which places race."""
        report = self.search("--list-executions", "list", *words)
        lines = [line.split() for line in (self.dir / "list").read_text().splitlines()[1:]]
        return report, [line[3] for line in lines]

    def check(self, name, options, binary):
        report, keys = self.keys("--strategy", "random", "--executions", 20_000, *options, binary)
        (failure,) = report["failures"]
        self.assertTrue(failure["fewest"], failure)
        replayed = self.heddle("replay", "--json", "-", failure["schedule"], exit=1).json["failures"][0]
        for field in ("kind", "location", "steps", "preemptions", "switches"):
            self.assertEqual(replayed[field], failure[field])
        found = failure["found"]
        cost = [failure["preemptions"], failure["switches"], failure["steps"]]
        self.assertLessEqual(cost, [found["preemptions"], found["switches"], found["steps"]])
        self.assertEqual(failure["simplified"], cost < [found["preemptions"], found["switches"], found["steps"]])
        key = keys[failure["execution"] - report["learning"] - 1]
        if failure["preemptions"] > 0:
            bound = ["--strategy", "dfs", "--preemptions", failure["preemptions"] - 1, "--keep-going"]
            complete, lower = self.keys(*bound, "--explain", "off", *options, binary)
            self.assertTrue(complete["coverage"]["complete"], complete["stopped_by"])
            self.assertNotIn(key, lower)
        print(f"{name:24} {failure['kind']:14} {found['steps']:5} {found['preemptions']:4} {found['switches']:4} ->"
              f" {failure['steps']:5} {failure['preemptions']:3} {failure['switches']:3}")
        return failure["simplified"]

    def test_thirty(self):
        simplified, checked = 0, 0
        for name, options, build in self.programs():
            with self.subTest(program=name):
                simplified += self.check(name, options, build())
                checked += 1
        self.assertGreaterEqual(checked, LEAST)
        self.assertGreaterEqual(simplified, 20)


if __name__ == "__main__":
    harness.main()

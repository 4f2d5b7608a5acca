#!/usr/bin/env python3
"""--shard and heddle merge: parts of a search, joined, say what the whole search says.

By hand, with more generated programs: tests/cli/shards.py --seed 7 --count 200 (HEDDLE_BIN_DIR and HEDDLE_SOURCE_DIR as
for tests/cli/oracle_random.py).
"""

import argparse
import os
import pathlib
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "oracle"))
import classics
import compare
import fair_generate
import generate
import harness
import render
from harness import built

SAME = ("verdict", "executions", "failing_executions", "steps", "pruned", "cut", "distinct", "threads", "max_steps")
SEED, COUNT = 31, 24


def told(report):
    """What must be the same; failures by what they are, for another execution may have shown them first."""
    failures = sorted({(f["kind"], f["location"]) for f in report["failures"]})
    coverage = {name: report["coverage"][name] for name in ("complete", "preemptions", "states", "set_back")}
    return {name: report[name] for name in SAME} | coverage | {"failures": failures}


class Parts(harness.CommandTest):
    def parts(self, count, *words, exit=None):
        files = []
        for index in range(1, count + 1):
            ran = self.heddle("run", "--shard", f"{index}/{count}", "--json", "-", "--out", "parts", *words)
            self.assertIn(ran.exit, (0, 1) if exit is None else (exit,), ran)
            self.assertNotEqual(ran.json["verdict"], "passed", ran)
            self.assertFalse(ran.json["coverage"]["complete"], ran)
            self.assertEqual((ran.json["shard"]["index"], ran.json["shard"]["count"]), (index, count), ran)
            files.append(ran.json["shard"]["file"])
        return files

    def merged(self, files, exit):
        ran = self.heddle("merge", "--json", "-", "--out", "joined", *files, exit=exit)
        return ran.json

    def compare(self, count, *words):
        whole = self.heddle("run", "--json", "-", "--out", "whole", *words)
        joined = self.merged(self.parts(count, *words), whole.exit)
        self.assertEqual(told(joined), told(whole.json), f"{count} parts of {words}")
        self.assertEqual(joined["parts"], count)
        return joined


class Same(Parts):
    def check(self, programs, every, counts, bounds):
        binary = compare.built_once(render.render(programs), "g++")
        for number in range(len(programs)):
            bound = bounds[number % len(bounds)]
            fair = "off" if every is None else str(every)
            self.compare(counts[number % len(counts)], "--strategy", "dfs", "--keep-going", "--explain", "off", "--races",
                         "ignore", "--fair", fair, "--preemptions", bound, binary, str(number))  # fmt: skip

    def test_generated_programs(self):
        self.check(generate.programs(SEED, COUNT), None, (3, 2, 5), ("none", "1", "2", "none", "3"))

    def test_fair_programs(self):
        self.check(fair_generate.programs(SEED, 8, True), 1, (3, 2), ("none", "1"))

    def test_classics(self):
        self.check(classics.programs()[:6], None, (3,),
                   ("2", "1"))  # fmt: skip

    def test_orders_and_bounds(self):
        program = built("states.cc")
        for words in (("--strategy", "best-first"), ("--strategy", "best-first", "--delays", "2"),
                      ("--strategy", "dfs", "--depth", "9"),
                      ("--strategy", "best-first", "--order", "rand,pb", "--preemptions", "3"),
                      ("--strategy", "auto", "--preemptions", "2")):  # fmt: skip
            joined = self.compare(3, *words, program, "aaaa", "aaaa")
            self.assertGreater(joined["coverage"]["states"], 1)
            self.assertGreater(joined["executions"], 48)

    def compare_found(self, count, *words, exit=0):
        """Of a search that reduces: what is found is the same, in more executions."""
        whole = self.heddle("run", "--json", "-", "--out", "whole", *words, exit=exit).json
        joined = self.merged(self.parts(count, *words), exit)
        for name in ("verdict", "distinct", "complete", "states", "failures"):
            self.assertEqual(told(joined)[name], told(whole)[name], f"{name}, {count} parts of {words}")
        self.assertGreaterEqual(joined["executions"], joined["distinct"])
        if count > 1:
            self.assertTrue(any("reduced by itself" in note for note in joined["notes"]), joined["notes"])
        return joined

    def test_auto(self):
        program = built("states.cc")
        self.compare_found(3, "--keep-going", program, "LaaU", "aaa")

    def test_reduction(self):
        """See tests/oracle/reduction_families.cc; tests/cli/reduction_random.py compares generated programs."""
        program = built(harness.SOURCE / "tests/oracle/reduction_families.cc")
        for count, options, words, classes in (
            (3, ("--reduce", "dpor", "--strategy", "dfs"), ("lastzero", 8), 704),
            (2, ("--reduce", "dpor", "--strategy", "best-first"), ("counter", 3, 3), 1680),
            (5, ("--reduce", "dpor", "--jobs", "2"), ("readers", 9), 512),
            (40, ("--reduce", "dpor"), ("mutex", 2, 5), 252),
            (3, (), ("lastzero", 8), 704),
        ):
            joined = self.compare_found(count, *options, program, *words)
            self.assertEqual(joined["distinct"], classes, words)
        failing = built("updates.c")
        for count in (2, 5):
            self.compare_found(count, "--reduce", "dpor", "--keep-going", failing, "2", "4", "split", exit=1)

    def test_small(self):
        """All of it is common: one part, or as many as anybody likes."""
        program = built("states.cc")
        for count in (1, 7):
            self.compare(count, "--strategy", "dfs", program, "a")
            whole = self.heddle("run", "--json", "-", program, "a").json
            self.assertEqual(told(self.merged(self.parts(count, program, "a"), 0))["distinct"], whole["distinct"])

    def test_jobs_and_resume(self):
        words = ("--strategy", "dfs", built("states.cc"), "aaa", "aaa")
        self.check_resumed(self.heddle("run", "--json", "-", *words).json, *words)
        self.heddle("run", "--shard", "1/2", "--out", "other", "--executions", "7", *words, exit=0)
        os.rename(self.dir / "other/states.1of2.search", self.dir / "other/states.2of2.search")
        refused = self.heddle("run", "--shard", "2/2", "--out", "other", "--resume", *words, exit=2)
        self.assertIn("--shard 1/2", refused.err)

    def test_reduction_resumed(self):
        program = built(harness.SOURCE / "tests/oracle/reduction_families.cc")
        words = ("--reduce", "dpor", "--strategy", "dfs", program, "lastzero", "8")
        self.check_resumed(self.merged(self.parts(2, *words), 0), *words)

    def check_resumed(self, whole, *words):
        files = []
        for index in (1, 2):
            options = ("--shard", f"{index}/2", "--out", "parts", "--json", "-")
            # It stops once in the common executions, and once behind them.
            self.heddle("run", *options, "--executions", "7", *words, exit=0)
            self.heddle("run", *options, "--executions", "100", "--resume", "--jobs", "2", *words, exit=0)
            ran = self.heddle("run", *options, "--resume", *words, exit=0)
            files.append(ran.json["shard"]["file"])
        self.assertEqual(told(self.merged(files, 0)), told(whole))

    def test_samplers(self):
        program = built("states.cc")
        words = ("--strategy", "random", "--executions", "50", program, "aaa", "aaa")
        joined = self.merged(self.parts(3, *words), 0)
        self.assertEqual((joined["verdict"], joined["executions"]), ("incomplete", 150))
        alone = self.heddle("run", "--json", "-", *words).json
        self.assertGreater(joined["distinct"], alone["distinct"])


class Failures(Parts):
    def test_failure_in_any_part(self):
        program = built(harness.PROGRAMS / FAILING)
        words = ("--strategy", "dfs", program)
        files = self.parts(3, *words)
        ran = self.heddle("merge", "--json", "-", "--out", "joined", *files, exit=1)
        schedule = ran.json["failures"][0]["schedule"]
        self.assertTrue(schedule.startswith("joined/"), schedule)
        self.heddle("replay", schedule, exit=1)
        self.heddle("show", schedule, exit=0)
        # One that has failed is enough.
        with_failure = [f for f in files if self.heddle("merge", f).exit == 1]
        one = self.heddle("merge", with_failure[0], exit=1)
        self.assertIn("missing", one.out)


class Refused(Parts):
    def setUp(self):
        super().setUp()
        self.program = built("states.cc")
        self.words = ("--strategy", "dfs", self.program, "LaaU", "aaa")

    def refuse(self, files, *words):
        ran = self.heddle("merge", *files, exit=2)
        for word in words:
            self.assertIn(word, ran.err)

    def test_values(self):
        for value in ("0/3", "4/3", "x", "1", "/", "1/", "/2", "-1/3", "1/2/3", "1/10001"):
            ran = self.heddle("run", "--shard", value, self.program, exit=2)
            self.assertIn("--shard", ran.err)
        for words in (("--reduce", "dpor", "--retries", "last"), ("--strategy", "dfs", "--match", "on"), ("--livelock-after", "100"),
                      ("--first", "."), ("--strategy", "backtrack")):  # fmt: skip
            self.assertIn("--shard", self.heddle("run", "--shard", "1/2", *words, self.program, exit=2).err)

    def test_missing(self):
        files = self.parts(3, *self.words)
        self.refuse(files[:2], "missing: 3", "--shard 3/3")
        self.refuse(files[1:2], "missing: 1, 3")
        self.refuse([], "no parts given")
        self.refuse([*files, files[0]], "both part 1")
        self.refuse([*files, "nowhere.part"], "nowhere.part")

    def test_foreign(self):
        files = self.parts(2, *self.words)
        self.heddle("run", "--shard", "2/2", "--preemptions", "2", "--out", "other", *self.words, exit=0)
        self.refuse([files[0], "other/states.2of2.part"], "--preemptions")
        self.heddle("run", "--shard", "2/2", "--out", "other", *self.words[:-1], exit=0)
        self.refuse([files[0], "other/states.2of2.part"], "arguments")
        self.heddle("run", "--shard", "2/3", "--out", "other", *self.words, exit=0)
        self.refuse([files[0], "other/states.2of3.part"], "one of 3")
        again = built("states.cc", "-O2")
        copy = self.dir / "elsewhere" / "states"
        copy.parent.mkdir()
        copy.write_bytes(pathlib.Path(again).read_bytes())
        copy.chmod(0o755)
        self.heddle("run", "--shard", "2/2", "--out", "other", "--strategy", "dfs", copy, *self.words[3:], exit=0)
        self.refuse([files[0], "other/states.2of2.part"], "states")

    def test_damaged(self):
        files = self.parts(2, *self.words)
        path = self.dir / files[1]
        whole = path.read_bytes()
        for place in (2, len(whole) // 2, len(whole) - 2):
            changed = bytearray(whole)
            changed[place] ^= 0x55
            path.write_bytes(changed)
            self.refuse(files, files[1])
        for size in (0, 10, len(whole) // 2, len(whole) - 1):
            path.write_bytes(whole[:size])
            self.refuse(files, files[1])

    def test_incomplete(self):
        files = self.parts(2, *self.words)
        self.heddle("run", "--shard", "2/2", "--executions", "50", "--out", "parts", *self.words, exit=0)
        joined = self.merged(files, 0)
        self.assertEqual(joined["verdict"], "incomplete")
        self.assertFalse(joined["coverage"]["complete"])
        self.assertTrue(any("part 2 is not complete" in note for note in joined["notes"]), joined["notes"])

    def test_places_that_race(self):
        """Parts that have not been searched with the same operations do not cover all together."""
        program = built("racing.c")
        words = ("--strategy", "dfs", "--races", "explore", program)
        whole = self.search(*words, exit=0)
        self.assertEqual(whole["verdict"], "passed")
        files = self.parts(6, *words)
        refused = self.heddle("merge", *files, exit=2)
        self.assertIn("places that race", refused.err)
        # What it says is what helps.
        places = refused.err.split("--racing ")[1].split()[0]
        joined = self.merged(self.parts(6, "--racing", places, *words), 0)
        self.assertEqual((joined["verdict"], joined["distinct"]), ("passed", whole["distinct"]))
        self.assertEqual(joined["executions"], whole["executions"] - whole["learning"])


FAILING = "deadlock/philosophers.cc"


def main():
    global SEED, COUNT
    parser = argparse.ArgumentParser(description="Compares parts of searches with whole ones.")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT, help="generated programs")
    options, sys.argv[1:] = parser.parse_known_args()
    SEED, COUNT = options.seed, options.count
    harness.main()


if __name__ == "__main__":
    main()

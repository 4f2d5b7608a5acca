#!/usr/bin/env python3
"""--json: the object of the manual, name by name and type by type, for every way in which a search can end."""

import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import PROGRAMS, built

COUNT = "a whole number, not negative"

# What each field holds: a type, a tuple of permitted values or types, a list of one kind of element, an object.
# None stands for null. These names and meanings never change.
SCHEMA = {
    "heddle": str,
    "program": [str],
    "verdict": ("failed", "passed", "incomplete"),
    "failures": [
        {
            "kind": (
                "assertion", "crash", "exception", "exit", "deadlock", "livelock", "good-samaritan",
                "data-race", "use-after-free", "double-free", "out-of-bounds", "misuse", "hang", "unmet",
            ),
            "message": str,
            "location": str,
            "execution": COUNT,
            "steps": COUNT,
            "preemptions": COUNT,
            "schedule": str,
        }
    ],
    "executions": COUNT,
    "steps": COUNT,
    "pruned": COUNT,
    "distinct": COUNT,
    "threads": COUNT,
    "max_steps": COUNT,
    "seconds": float,
    "executions_per_second": float,
    "coverage": {
        "complete": bool,
        "remaining": (
            {
                "waiting": COUNT,
                "estimate": (COUNT, float, None),
                "low": (COUNT, float, None),
                "high": (COUNT, float, None),
            },
            None,
        ),
        "preemptions": (COUNT, None),
        "reduce": ("none", "dpor"),
        "fair": bool,
        "set_back": COUNT,
        "accesses": ("sync", "all"),
        "spurious": bool,
        "states": (COUNT, None),
    },
    "warnings": [{"kind": ("good-samaritan",), "message": str, "location": str}],
    "strategy": {"name": str, "order": str, "seed": COUNT},
    "memory": {
        "nodes_created": COUNT,
        "nodes_peak": COUNT,
        "tree_bytes_peak": COUNT,
        "uncompressed_bytes_peak": COUNT,
        "samples": list,
    },
}


def misfits(value, schema, place="the report"):
    """What in the value is not as the schema has it: sentences. Further fields are permitted."""
    if isinstance(schema, dict):
        if not isinstance(value, dict):
            return [f"{place} is {value!r}, not an object"]
        missing = [f"{place} has no {name}" for name in schema if name not in value]
        return missing + [
            problem
            for name, inner in schema.items()
            if name in value
            for problem in misfits(value[name], inner, f"{place}.{name}")
        ]
    if isinstance(schema, list):
        if not isinstance(value, list):
            return [f"{place} is {value!r}, not a list"]
        return [
            problem
            for index, element in enumerate(value)
            for problem in misfits(element, schema[0], f"{place}[{index}]")
        ]
    if isinstance(schema, tuple):
        fits = any(not misfits(value, one, place) for one in schema)
    elif schema is COUNT:
        fits = type(value) is int and value >= 0
    elif isinstance(schema, type):
        fits = type(value) is schema
    else:
        fits = value == schema and type(value) is type(schema)
    return [] if fits else [f"{place} is {value!r}, not {schema!r}"]


class Report(harness.CommandTest):
    def report(self, *words, exit, verb="run"):
        ran = self.heddle(verb, "--json", "-", *words, exit=exit)
        report = json.loads(ran.out)
        self.assertEqual(misfits(report, SCHEMA), [])
        self.assertEqual(report["exit_code"], exit)
        self.assertTrue(ran.out.startswith("{") and ran.out.endswith("}\n"))
        if report["seconds"] > 0:
            rate = report["executions"] / report["seconds"]
            self.assertAlmostEqual(report["executions_per_second"], rate, delta=rate / 1e6)
        return report

    def test_passed(self):
        program = built("updates.c")
        report = self.report("--strategy", "dfs", program, "2", "2", exit=0)
        self.assertEqual(report["verdict"], "passed")
        self.assertEqual(report["program"], [str(program), "2", "2"])
        self.assertEqual(report["failures"], [])
        self.assertEqual(report["threads"], 3)
        self.assertEqual((report["pruned"], report["cut"]), (0, 0))
        coverage = {"complete": True, "remaining": None, "preemptions": None, "reduce": "none", "fair": True}
        self.assertEqual({name: report["coverage"][name] for name in coverage}, coverage)
        self.assertEqual(report["strategy"]["name"], "dfs")
        self.assertEqual(report["steps"], report["executions"] * report["max_steps"])
        self.assertGreater(report["memory"]["nodes_peak"], 0)
        version = self.heddle("--version", exit=0).out.split()[1]
        self.assertEqual(report["heddle"], version)

    def test_failed(self):
        report = self.report("--preemptions", "2", built("updates.c"), "2", "2", "split", exit=1)
        self.assertEqual(report["verdict"], "failed")
        (failure,) = report["failures"]
        self.assertEqual(failure["kind"], "exit")
        self.assertRegex(failure["location"], r"^updates\.c:\d+$")
        self.assertEqual(failure["execution"], report["executions"])
        self.assertEqual(failure["schedule"], "heddle-out/updates-1.heddle")
        self.assertTrue((self.dir / failure["schedule"]).exists())
        self.assertLessEqual(failure["steps"], report["max_steps"])
        self.assertEqual(report["coverage"]["preemptions"], 2)
        self.assertFalse(report["coverage"]["complete"])

    def test_several_failures(self):
        report = self.report("--keep-going", built(PROGRAMS / "failures" / "keep_going.cc"), exit=1)
        self.assertEqual(len(report["failures"]), 4)
        self.assertEqual(len({failure["schedule"] for failure in report["failures"]}), 4)

    def test_incomplete(self):
        words = ["--strategy", "random", "--seed", "9", "--executions", "20"]
        report = self.report(*words, built("updates.c"), "3", "3", exit=0)
        self.assertEqual((report["verdict"], report["executions"]), ("incomplete", 20))
        self.assertEqual((report["strategy"]["name"], report["strategy"]["seed"]), ("random", 9))
        self.assertFalse(report["coverage"]["complete"])
        self.assertIsNone(report["coverage"]["remaining"])
        self.assertIsNone(report["coverage"]["preemptions"])
        words = ["--strategy", "dfs", "--executions", "20"]
        report = self.report(*words, built("updates.c"), "3", "3", exit=0)
        self.assertLess(report["coverage"]["remaining"]["low"], report["coverage"]["remaining"]["high"])
        report = self.report("--strategy", "dfs", "--executions", "2", built("updates.c"), "3", "3", exit=0)
        self.assertIsNone(report["coverage"]["remaining"]["estimate"])

    def test_not_repeatable(self):
        program = built(PROGRAMS / "unrepeatable" / "counter_in_file.cc")
        report = self.report("--preemptions", "none", program, exit=3)
        self.assertEqual(report["verdict"], "incomplete")

    def test_not_supported(self):
        report = self.report(built(PROGRAMS / "unsupported" / "fork.cc"), exit=2)
        self.assertEqual(report["verdict"], "incomplete")
        self.assertIn("fork", report["unsupported"])

    def test_replay(self):
        self.heddle("run", built("updates.c"), "2", "2", "split", exit=1)
        schedule = "heddle-out/updates-1.heddle"
        report = self.report("--times", "100", schedule, exit=1, verb="replay")
        self.assertEqual((report["verdict"], report["executions"]), ("failed", 100))
        self.assertEqual(report["failures"][0]["schedule"], schedule)

    def test_accesses(self):
        report = self.report("--accesses", "all", "--executions", "5", built("updates.c"), exit=0)
        self.assertEqual(report["coverage"]["accesses"], "all")

    def test_streams(self):
        """`-`: nothing but JSON on standard output, and the report on standard error. A file: the other way."""
        command = [built("updates.c"), "2", "2", "split"]
        ran = self.heddle("run", "--json", "-", *command, exit=1)
        report = ran.json
        self.assertRegex(ran.err, "(?m)^failed: ")
        ran = self.heddle("run", "--json", "-", "--quiet", *command, exit=1)
        self.assertEqual((ran.json["failures"], ran.err), (report["failures"], ""))
        plain = self.heddle("run", "--json", "some.json", *command, exit=1)
        self.assertEqual(plain.err, "")
        self.assertRegex(plain.out, "(?m)^failed: ")
        kept = json.loads((self.dir / "some.json").read_text())
        self.assertEqual(harness.timeless(kept), harness.timeless(report))
        ran = self.heddle("run", "--json", "-", "--show-output", *command, exit=1)
        self.assertEqual(misfits(json.loads(ran.out[ran.out.index("{\n") :]), SCHEMA), [])

    def test_an_old_file_is_replaced(self):
        (self.dir / "some.json").write_text("x" * 100_000)
        self.heddle("run", "--json", "some.json", built("updates.c"), exit=0)
        json.loads((self.dir / "some.json").read_text())

    def test_strange_names(self):
        strange = self.dir / 'a "name" with\ttabs\\ and \u00fc'
        strange.mkdir()
        program = strange / "prog\nram"
        os.symlink(built("updates.c"), program)
        report = self.report(program, "2", "2", "split", exit=1)
        self.assertEqual(report["program"][0], str(program))
        self.heddle("replay", report["failures"][0]["schedule"], exit=1)


if __name__ == "__main__":
    harness.main()

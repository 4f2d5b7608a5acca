#!/usr/bin/env python3
"""heddle compare: strategies side by side, with equal budgets and several seeds."""

import json
import os
import re
import signal
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import PROGRAMS, SOURCE, built, ticks

# Both threads store their number: every execution fails, in one of two ways.
TWO_FAILURES = """
#include <stdatomic.h>
#include <pthread.h>
#include <stdlib.h>
static atomic_int last;
static void* store(void* number) { atomic_store(&last, number != NULL ? 2 : 1); return NULL; }
int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, store, NULL);
  pthread_create(&other, NULL, store, &last);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  if (atomic_load(&last) == 1) abort();
  exit(3);
}
"""
ROW = re.compile(
    r"^(?P<name>[a-z-]+) +(?P<runs>\d+) runs? +(?P<share>[<>]?\d+%)"
    r"(?: +(?P<min>\S+) +(?P<mean>\S+) +(?P<max>\S+) +(?P<dev>\S+) +(?P<time>[\d.]+ m?s)"
    r"| (?P<words>none within the budget|[a-z0-9, ]*complete[a-z0-9, ]*?) +-)"
    r" +(?P<distinct>\S+) +(?P<rate>\S+)/s$"
)


def names(value):
    """Of all fields."""
    if isinstance(value, dict):
        return set(value).union(*map(names, value.values()))
    return set().union(*map(names, value)) if isinstance(value, list) else set()


def number(text):
    return float(text.replace(",", ""))


class Compare(harness.CommandTest):
    def compare(self, *words, exit=None, **how):
        """The JSON, and the text beside it."""
        ran = self.heddle("compare", "--json", "-", *words, exit=exit, **how)
        return ran.json, ran.err

    def rows(self, text):
        lines = text.split("\n\n")[0].splitlines()
        self.assertRegex(lines[1], "^strategy +runs +failed +min +mean +max +dev +to it +a run +rate$")
        self.assertLessEqual(max(map(len, lines)), 80, text)
        for line in lines[2:]:
            self.assertRegex(line, ROW)
        return {line.split()[0]: ROW.match(line) for line in lines[2:]}

    def known_strategies(self):
        refused = self.heddle("run", "--strategy", "?", "./x", exit=2).err
        return refused.strip().split("known: ")[1].split(", ")

    def test_all_strategies(self):
        report, text = self.compare("--executions", "50", built("updates.c"), "2", "2", exit=0)
        known = [name for name in self.known_strategies() if name != "guide"]  # it needs places
        self.assertEqual([one["name"] for one in report["strategies"]], known)
        self.assertEqual(list(self.rows(text)), known)
        self.assertEqual(report["seeds"], [1, 2, 3, 4, 5])
        self.assertEqual(report["budget"], {"executions": 50, "seconds": None})
        for one in report["strategies"]:
            seeds = report["seeds"] if one["uses_seed"] else [1]
            self.assertEqual([run["seed"] for run in one["runs"]], seeds, one["name"])
            for run in one["runs"]:
                self.assertLessEqual(run["executions"], 50)
                self.assertEqual(run["samples"][-1][1:], [run["executions"], run["distinct"]])
        self.assertEqual(report["planned"], sum(len(one["runs"]) for one in report["strategies"]))
        self.assertFalse((self.dir / "heddle-out").exists())

    def test_table_and_json(self):
        words = ["--strategies", "random,dfs", "--seeds", "6", "--seed", "4", "--executions", "3"]
        report, text = self.compare(*words, built("updates.c"), "2", "1", "split", exit=1)
        self.assertEqual(report["seeds"], [4, 5, 6, 7, 8, 9])
        rows = self.rows(text)
        self.assertEqual(list(rows), ["random", "dfs"])
        for one in report["strategies"]:
            row = rows[one["name"]]
            runs = one["runs"]
            failed = [run["executions"] for run in runs if run["failed"]]
            self.assertEqual(int(row["runs"]), len(runs))
            self.assertEqual(one["failed"], len(failed))
            self.assertEqual(row["share"], f"{100 * len(failed) / len(runs):.0f}%")
            self.assertEqual(number(row["distinct"]), round(one["distinct"], 1))
            self.assertAlmostEqual(one["distinct"], sum(run["distinct"] for run in runs) / len(runs))
            if not failed:
                self.assertIsNone(one["executions_to_failure"])
                self.assertEqual(row["words"], "none within the budget")
                continue
            spread = one["executions_to_failure"]
            self.assertEqual((spread["min"], spread["max"]), (min(failed), max(failed)))
            self.assertEqual((number(row["min"]), number(row["max"])), (min(failed), max(failed)))
            self.assertAlmostEqual(number(row["mean"]), sum(failed) / len(failed), delta=0.051)
            self.assertAlmostEqual(number(row["dev"]), spread["deviation"], delta=0.051)
            per_failure = sum(run["executions"] for run in runs) / len(failed)
            self.assertAlmostEqual(one["executions_per_failure"], per_failure)
        # Some of the seeds find it within three executions, others do not.
        self.assertIn(report["strategies"][0]["failed"], range(1, 6))
        self.assertRegex(text, r"\nfailed: a failure in \d of 7 runs; \d+ executions, [\d.]+ m?s\n$")

    def test_the_same_every_time(self):
        program = [built("updates.c"), "3", "2", "split"]
        words = ["--executions", "40", "--seeds", "3", *program]
        seen = []
        for jobs in ["1", "1", "2"]:
            report, _ = self.compare("--jobs", jobs, *words, exit=1)
            keys = ["seed", "executions", "distinct", "failed", "failure", "complete"]
            seen.append([[run[key] for key in keys] for one in report["strategies"] for run in one["runs"]])
        self.assertEqual(seen[0], seen[1])
        self.assertEqual(seen[0], seen[2])

    def test_as_heddle_run_does(self):
        """A run is that of `heddle run`; and so is the one that is to be typed."""
        program = [built("updates.c"), "2", "3", "split"]
        words = ["--preemptions", "none", "--executions", "200"]
        report, _ = self.compare(*words, "--seeds", "2", *program, exit=1)
        for one in report["strategies"]:
            for run in one["runs"]:
                options = ["--strategy", one["name"], "--seed", run["seed"], *words]
                alone = self.search(*options, *program)
                for field in ["executions", "distinct"]:
                    self.assertEqual(run[field], alone[field], (one["name"], field))
        command = report["best"]["command"].split()
        self.assertEqual(command[:3], ["heddle", "run", "--strategy"])
        self.assertEqual(command[-8:], [*words, *map(str, program)])
        again = self.search(*command[2:], exit=1)
        best = min(one["executions_per_failure"] for one in report["strategies"] if one["failed"])
        chosen = [one for one in report["strategies"] if one["name"] == report["best"]["strategy"]][0]
        self.assertEqual(chosen["executions_per_failure"], best)
        self.assertEqual(again["executions"], chosen["executions_to_failure"]["min"])

    def test_one_run_without_a_seed(self):
        words = ["--strategies", "dfs,best-first", "--seeds", "4", "--executions", "20"]
        report, text = self.compare(*words, built("updates.c"), "2", "2", exit=0)
        self.assertEqual([len(one["runs"]) for one in report["strategies"]], [1, 1])
        self.assertRegex(text, "(?m)^dfs +1 run ")
        words = ["--strategies", "best-first", "--order", "rand", *words[2:]]
        report, text = self.compare(*words, built("updates.c"), "2", "2", exit=0)
        self.assertEqual([len(one["runs"]) for one in report["strategies"]], [4])
        self.assertRegex(text, "(?m)^best-first +4 runs ")

    def test_complete(self):
        report, text = self.compare("--strategies", "dfs,random", "--seeds", "1", built("updates.c"), "2", "1", exit=0)
        dfs, random = report["strategies"]
        self.assertTrue(dfs["runs"][0]["complete"])
        self.assertFalse(random["runs"][0]["complete"])
        self.assertEqual(self.rows(text)["dfs"]["words"], "complete")
        self.assertEqual((report["best"]["strategy"], report["best"]["reason"]), ("dfs", "complete"))
        self.assertIn("best: dfs, complete: all schedules with any number of preemptions", text)
        # Without a budget of the user's there is one nevertheless.
        self.assertEqual(report["budget"], {"executions": 10000, "seconds": 10})
        self.assertEqual(random["runs"][0]["executions"], 10000)

    def test_different_failures(self):
        """Each is saved once, by number, and the schedules lead there."""
        (self.dir / "two.c").write_text(TWO_FAILURES)
        program = built(self.dir / "two.c")
        words = ["--strategies", "dfs,random", "--seeds", "10", "--executions", "1"]
        report, text = self.compare(*words, program, exit=1)
        saved = ["heddle-out/two-1.heddle", "heddle-out/two-2.heddle"]
        self.assertEqual([one["schedule"] for one in report["failures"]], saved)
        self.assertEqual(sorted(one["kind"] for one in report["failures"]), ["assertion", "exit"])
        for run in report["strategies"][1]["runs"]:
            self.assertTrue(run["failed"])
            self.assertIn(run["failure"], (0, 1))
        for one in report["failures"]:
            self.assertIn("random", one["strategies"])
            again = self.heddle("replay", "--json", "-", one["schedule"], exit=1).json
            self.assertEqual(again["failures"][0]["kind"], one["kind"])
            self.assertIn(f"heddle replay --trust {one['schedule']}\n    found by ", text)
        self.assertIn("failed: 2 different failures in 11 of 11 runs; ", text)
        files = sorted(path.name for path in (self.dir / "heddle-out").iterdir())
        self.assertEqual(files, ["two-1.heddle", "two-1.trace", "two-2.heddle", "two-2.trace"])

    def test_suppressed(self):
        (self.dir / "known.txt").write_text("exit:*\n")
        words = ["--strategies", "random", "--executions", "10", "--suppress", "known.txt"]
        report, _ = self.compare(*words, built("updates.c"), "2", "2", "split", exit=0)
        self.assertEqual(report["failures"], [])

    def test_the_saved_search_of_a_run_stays(self):
        program = [built("updates.c"), "3", "3"]
        self.heddle("run", "--strategy", "dfs", "--executions", "10", *program, exit=0)
        saved = self.dir / "heddle-out" / "updates.search"
        before = saved.read_bytes()
        self.compare("--executions", "20", *program, exit=0)
        self.assertEqual(saved.read_bytes(), before)

    def test_strategies_that_do_not_go_with_the_options(self):
        program = built("updates.c")
        report, text = self.compare("--reduce", "dpor", "--executions", "50", program, "2", "1", exit=0)
        self.assertIn("random", [one["strategy"] for one in report["left_out"]])
        self.assertIn("note: random was left out: strategy random runs schedules at random", text)
        self.assertNotIn("random", [one["name"] for one in report["strategies"]])
        self.heddle("compare", "--reduce", "dpor", "--strategies", "random", program, exit=2)

    def test_plot(self):
        words = ["--strategies", "dfs,random", "--seconds", "0.7", "--seeds", "2"]
        program = [built("updates.c"), "4", "8", "<&>"]
        ran = self.heddle("compare", *words, "--plot", "plot.svg", "--json", "x.json", *program, exit=0)
        drawing = xml.etree.ElementTree.parse(self.dir / "plot.svg").getroot()
        self.assertTrue(drawing.tag.endswith("}svg"))
        texts = [element.text for element in drawing.iter() if element.tag.endswith("}text")]
        for text in ["dfs", "random", "distinct executions", "0.0", "0.5"]:
            self.assertIn(text, texts)
        self.assertTrue(texts[0].startswith("Distinct executions of "))
        report = json.loads((self.dir / "x.json").read_text())
        for one in report["strategies"]:
            for run in one["runs"]:
                self.assertGreaterEqual(len(run["samples"]), 2)
                self.assertEqual(run["samples"], sorted(run["samples"]))
        self.heddle("compare", *words, "--executions", "5", "--plot", "plot.html", *program, exit=0)
        page = xml.etree.ElementTree.parse(self.dir / "plot.html").getroot()
        self.assertIn("strategy ", page.find(".//pre").text)
        self.assertEqual(len(page.findall(".//{*}svg")), 1)
        self.assertEqual(ran.err, "")

    def test_bad_usage(self):
        program = built("updates.c")
        bad = [
            (["--strategies", "dfs,nobody"], "there is no strategy 'nobody'; known: "),
            (["--strategies", ""], "a name is missing"),
            (["--strategies", "dfs,"], "a name is missing"),
            (["--strategies", "dfs,dfs"], "twice"),
            (["--seeds", "0"], "--seeds"),
            (["--seeds", "many"], "type e.g. --seeds 10"),
            (["--plot", "plot.png"], "neither with .svg nor with .html; type e.g. --plot plot.svg"),
            (["--plot", "no/such/directory/plot.svg"], "cannot be written"),
            (["--strategy", "dfs"], "did you mean --strategies?"),
            (["--keep-going"], "unknown option --keep-going"),
            (["--resume"], "unknown option --resume"),
            (["--executions", "0"], "--executions"),
        ]
        for options, says in bad:
            with self.subTest(options):
                ran = self.heddle("compare", *options, program, exit=2)
                self.assertEqual(ran.out, "")
                self.assertIn(says, ran.err)
                self.assertEqual(ran.err.count("\n"), 1)
        self.assertIn("heddle compare [OPTIONS] PROGRAM", self.heddle("compare", exit=2).err)
        self.heddle("run", "--seeds", "3", program, exit=2)

    def test_not_repeatable(self):
        program = built(PROGRAMS / "unrepeatable" / "counter_in_file.cc")
        ran = self.heddle("compare", "--json", "x.json", "--strategies", "dfs,random", program, exit=3)
        self.assertIn("NOT REPEATABLE", ran.out)
        self.assertEqual(json.loads((self.dir / "x.json").read_text())["gave_up"]["exit_code"], 3)

    def test_unsupported(self):
        program = built(PROGRAMS / "unsupported" / "fork.cc")
        self.assertIn("UNSUPPORTED", self.heddle("compare", program, exit=2).out)
        self.assertIn("fork", self.heddle("compare", "--quiet", program, exit=2).err)

    def test_quiet(self):
        ran = self.heddle("compare", "--quiet", "--executions", "5", built("updates.c"), "2", "2", exit=0)
        self.assertEqual((ran.out, ran.err), ("", ""))

    def test_interrupt(self):
        """The table has what was run so far."""
        words = ["--strategies", "best-first,dfs", "--json", "x.json", "--executions", "1000000000"]
        # 4 threads with 4 steps each: 16!/(4!)^4 = 63,063,000 orders, of which few have two preemptions.
        search = self.start("compare", *words, built("updates.c"), "4", "4")
        self.soon(search.workers, "no worker")
        first = search.workers()
        self.soon(lambda: any(ticks(pid) >= 5 for pid in search.workers() if pid not in first), "no second run")
        os.kill(search.pid, signal.SIGINT)
        ran = search.wait()
        self.assertEqual(ran.exit, 130, ran)
        self.assertRegex(ran.out, r"(?m)^best-first +1 run .* complete, 2 preemptions ")
        self.assertNotRegex(ran.out, "(?m)^dfs ")
        self.assertRegex(ran.out, r"; interrupted, 1 of 2 runs were run\n$")
        report = json.loads((self.dir / "x.json").read_text())
        self.assertTrue(report["interrupted"])
        self.assertEqual([len(one["runs"]) for one in report["strategies"]], [1, 0])
        self.assertEqual(ran.err, "")

    def test_every_field_is_in_the_manual(self):
        report, _ = self.compare("--reduce", "dpor", "--executions", "50", built("updates.c"), "2", "2", "split", exit=1)
        page = (SOURCE / "docs" / "compare.md").read_text()
        for name in sorted(names(report)):
            self.assertIn(f"`{name}`", page)


if __name__ == "__main__":
    harness.main()

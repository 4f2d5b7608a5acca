#!/usr/bin/env python3
"""Guided search: along places in few executions, the same for every number of jobs, and complete where it says so; and
`heddle guide`: thirty warnings of other tools, of which it confirms those that are real and no other."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE_DIR"])
BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
sys.path.insert(0, str(SOURCE / "tests" / "command"))
import harness
import compiled
import processes

WARNINGS = SOURCE / "bench" / "guided" / "warnings"
TWOSTAGE = SOURCE / "bench" / "bugs" / "twostage.cc"
BETWEEN = "twostage.cc:27,twostage.cc:37"  # a setter has made its first stage, the reader comes

LOCKS = r"""#include <mutex>
#include <thread>
static std::mutex a, b;
static int x;
static void first() {
  std::lock_guard one(a);
  std::lock_guard other(b);
  ++x;
}
static int idle(int n) {
  return n * 3 + 1;
}
int main(int argc, char**) {
  std::thread one(first), other([] { std::lock_guard guard(b); x = 2; });
  one.join();
  other.join();
  return idle(argc) == 0;
}
"""


ATOMICS = r"""#include <atomic>
#include <thread>
static std::atomic<int> a, b;
static int seen;
static void writer() {
  a = 1;
  b = 1;
}
static void reader() {
  int first = b;
  int second = a;
  seen = first * 2 + second;
}
int main() {
  std::thread one(writer), other(reader);
  one.join();
  other.join();
  return seen > 3;
}
"""


class Guide(harness.CommandTest):
    def build(self, source, *flags, name=None):
        program = self.dir / (name or pathlib.Path(source).stem)
        command = [BIN / "heddle-c++", "-std=c++20", "-O1", "-g", *flags, source, "-o", program]
        compiled.compile_with(command, self.dir, self.environment).check_returncode()
        return program

    def locks(self, *flags, name="locks"):
        (self.dir / "locks.cc").write_text(LOCKS)
        return self.build(self.dir / "locks.cc", *flags, name=name)

    def listed(self, *words, **how):
        self.search("--list-executions", "list", *words, **how)
        return [line.split()[0] for line in (self.dir / "list").read_text().splitlines()[1:]]

    def test_places_lead_to_the_bug(self):
        """By distance in a few executions, whatever the number of threads; and it replays."""
        for threads in (3, 10, 30) if processes.ALL_SAMPLES else (3, 30):
            program = self.build(TWOSTAGE, f"-DTHREADS={threads}", name=f"twostage{threads}")
            for seed in range(1, 6 if processes.ALL_SAMPLES else 3):
                report = self.search("--through", BETWEEN, "--races", "ignore", "--seed", seed, program, exit=1)
                self.assertEqual(report["failures"][0]["kind"], "assertion")
                self.assertEqual(report["strategy"]["name"], "guide")
                self.assertLessEqual(report["executions"], 40)
            self.heddle("replay", f"heddle-out/twostage{threads}-1.heddle", exit=1)

    def test_same_for_every_number_of_jobs(self):
        program = self.build(TWOSTAGE, "-DTHREADS=6")
        for toward in ("distance", "random", "prefer:6"):
            words = ["--through", BETWEEN, "--toward", toward, "--races", "ignore", "--keep-going", "--executions", 300]
            one = self.listed(*words, program)
            self.assertEqual(self.listed(*words, "--jobs", 3, program), one)
            self.assertEqual(len(one), 300)
            out = ["--out", f"saved-{toward[:4]}"]
            pieces = self.listed(*words[:-1], 120, *out, program)
            pieces += self.listed(*words[:-1], 180, *out, "--resume", program)
            self.assertEqual(pieces, one)

    def test_complete_is_complete(self):
        """At places that are operations anyway it runs every schedule that depth-first search runs, once."""
        (self.dir / "atomics.cc").write_text(ATOMICS)
        program = self.build(self.dir / "atomics.cc")
        for bound in ("none", "1"):
            plain = sorted(self.listed("--strategy", "dfs", "--preemptions", bound, program, exit=0))
            words = ["--preemptions", bound, "--through", "atomics.cc:7,atomics.cc:10"]
            for toward in ("distance", "random"):
                guided = sorted(self.listed(*words, "--toward", toward, program, exit=0))
                self.assertTrue(guided == plain, f"{len(guided)} schedules, and not those {len(plain)}")
        program = self.locks()
        report = self.search("--through", "locks.cc:7", "--backtracks", 3, program, exit=0)
        self.assertFalse(report["coverage"]["complete"])
        self.assertNotEqual(report["verdict"], "passed")
        self.assertEqual(self.search("--through", "locks.cc:7", program, exit=0)["verdict"], "passed")

    def test_how_far_it_came(self):
        program = self.locks()
        report = self.search("--through", "locks.cc:8@1,locks.cc:14,locks.cc:8@2", program, exit=0)
        self.assertEqual((report["guided"]["places"], report["guided"]["passed"]), (3, 2))
        # The first two are passed by the same thread, and by another.
        report = self.search("--through", "first,locks.cc:8", program, exit=0)
        self.assertEqual(report["guided"]["passed"], 2)
        report = self.search("--through", "first,first", program, exit=0)
        self.assertEqual(report["guided"]["passed"], 1)

    def test_along_races(self):
        """Without places of the user's it goes along those that race, alone and beside the stages of auto."""
        (self.dir / "plain.cc").write_text(ATOMICS.replace("std::atomic<int>", "int"))
        program = self.build(self.dir / "plain.cc")
        words = ["--races", "explore", "--strategy", "guide", program]
        report = self.search(*words, exit=0)
        self.assertEqual(report["verdict"], "passed")
        self.assertEqual((report["guided"]["places"], report["guided"]["passed"]), (2, 2))
        self.assertEqual(self.listed("--jobs", 2, *words), self.listed(*words))
        # Of a program that is too large to be covered, samples are drawn.
        program = self.build(TWOSTAGE, "-DTHREADS=8", name="many")
        words = ["--races", "explore", "--samplers", "guide", "--keep-going", "--executions", 200, program]
        report = self.search(*words)
        self.assertEqual([one["name"] for one in report["strategy"]["sampled"]], ["guide"])
        self.assertEqual(self.listed("--jobs", 2, *words), self.listed(*words))

    def test_bad_places(self):
        program = self.locks()
        refused = {
            "locks.cc:12": "the nearest line that has is locks.cc:13",
            "nowhere.cc:3": "no code of a file 'nowhere.cc'",
            "frist": "did you mean 'first'?",
            "locks.cc:7:99": "code begins in column",
            "locks.cc:1": "the nearest line that has is locks.cc:5",
            "first@x": "the number of a thread",
            ",".join(["first"] * 17): "16 are the most",
        }
        for place, words in refused.items():
            with self.subTest(place):
                self.assertIn(words, self.heddle("run", "--through", place, program, exit=2).err)
        self.assertIn("--races explore", self.heddle("run", "--strategy", "guide", program, exit=2).err)
        self.assertIn("--toward", self.heddle("run", "--through", "first", "--toward", "up", program, exit=2).err)
        self.assertIn("goes with --strategy guide", self.heddle("run", "--backtracks", 5, program, exit=2).err)
        stripped = self.dir / "stripped"
        shutil.copy(program, stripped)
        subprocess.run(["strip", stripped], check=True)
        told = self.heddle("run", "--through", "first", stripped, exit=2).err
        self.assertRegex(told, "strip|symbols|-g")

    def judged(self, report, program, exit):
        ran = self.heddle("guide", "--quiet", "--json", "-", "--sarif", "out.sarif", "--from", report, program, exit=exit)
        return ran.json

    def test_warnings(self):
        """Those that are real are confirmed, with a schedule that replays; no other is."""
        reports = json.loads((WARNINGS / "warnings.json").read_text())["reports"]
        self.assertEqual(sum(len(report["warnings"]) for report in reports), 30)
        for report in reports if processes.ALL_SAMPLES else reports[::2]:
            program = self.build(WARNINGS / report["program"])
            exit = 1 if any(warning["real"] for warning in report["warnings"]) else 0
            told = self.judged(WARNINGS / "reports" / report["report"], program, exit)
            levels = [result["level"] for result in json.loads((self.dir / "out.sarif").read_text())["runs"][0]["results"]]
            self.assertEqual(levels.count("error"), sum(one["verdict"] == "confirmed" for one in told["warnings"]))
            for warning in report["warnings"]:
                with self.subTest(report["report"] + ": " + warning["where"]):
                    of_it = [one for one in told["warnings"]
                             if one["kind"] == warning["kind"] and one["place"].startswith(warning["where"])]
                    self.assertTrue(of_it)
                    for one in of_it:
                        self.assertEqual(one["verdict"] == "confirmed", warning["real"], one)
                        if warning["real"]:
                            self.heddle("replay", one["schedule"], exit=1)

    def test_bad_reports(self):
        program = self.locks()
        (self.dir / "empty").write_text("")
        (self.dir / "prose").write_text("nothing of this is a report\n")
        (self.dir / "broken.sarif").write_text('{"version": "2.1.0", "runs": [')
        (self.dir / "cut").write_text("==================\nWARNING: ThreadSanitizer: data race (pid=1)\n  Read of")
        for name in ("missing", "empty", "prose", "broken.sarif", "cut"):
            with self.subTest(name):
                self.assertIn(name, self.heddle("guide", "--from", name, program, exit=2).err)
        self.assertIn("--from", self.heddle("guide", program, exit=2).err)
        told = self.heddle("guide", "--from", WARNINGS / "reports" / "transfer.tsan.txt", program, exit=2).err
        self.assertIn("is the report of another program", told)
        self.assertIn("leave out --reduce", self.heddle("guide", "--reduce", "dpor", "--from", "prose", program, exit=2).err)


if __name__ == "__main__":
    harness.main()

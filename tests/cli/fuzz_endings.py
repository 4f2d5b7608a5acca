#!/usr/bin/env python3
"""Random programs of loops: those that end under every fair scheduler never fail, and those with a
fair cycle are told as livelocks, with the cycle, and can be replayed. Where a loop is taken for a spin does
not depend on what was asked of the execution. See tests/fuzz/endings.py for the programs.

By hand, with as many programs as you like:
  HEDDLE_BIN_DIR=build/release/bin HEDDLE_SOURCE_DIR=. \\
      python3 tests/cli/fuzz_endings.py --endings 1-1000 --livelocks 1-500
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter

SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE_DIR"]).resolve()
sys.path.insert(0, str(SOURCE / "tests" / "fuzz"))
import driver
import endings

WAYS = [
    "",
    "--strategy dfs",
    "--strategy random",
    "--strategy dfs --reduce dpor",
    "--strategy dfs --preemptions 1",
    "--preemptions 2",
    "--strategy best-first --order pb",
    "--spurious",
    "--isolation fork",
    "--good-samaritan off",
]
YIELD_AFTER = ["", "--yield-after 3", "--yield-after 50"]
BUDGET = "--executions 40 --seconds 2"  # the programs are many
# Loops without a yield go round for --yield-after steps at a time, and their cycle is as long.
FINDERS = ["auto", "auto --yield-after 5", "dfs", "dfs --yield-after 5", "random"]
# Loops that wait by several reads, some in a function that is called: its frame, of which not all is written, stands
# where the runtime has been before. The ways take different paths through the runtime.
SPINS = ["wait:0:l", "wait:0:ll", "wait:0:lk", "wait:0:kl", "wait:0:le", "wait:1:elk"]
SPIN_WAYS = ["dfs", "dfs --reduce dpor", "best-first", "best-first --order pb", "dfs --isolation fork"]
LIMIT = 20_000  # executions until a livelock must be found
THROWS = 1006  # a loop in which something is thrown and caught


def range_of(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def arguments():
    parser = argparse.ArgumentParser(description="Searches random programs of loops.")
    parser.add_argument("--endings", type=range_of, default=range(0, 10), help="seeds: 0-9, or one")
    parser.add_argument("--livelocks", type=range_of, default=[*range(0, 6), THROWS], help="seeds: 0-5, or one")
    parser.add_argument("--ways", type=int, default=2, help="searches of each program that ends")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--flags", default="-O1", help="for the compiler")
    return parser.parse_args()


class Fuzzer:
    def __init__(self, directory, given):
        self.directory = directory
        self.program = directory / "endings"
        self.tally = Counter()
        self.most = Counter()  # executions until a livelock was found, by strategy
        command = [driver.bin_dir() / "heddle-c++", "-std=c++20", "-g", *given.flags.split()]
        command += [SOURCE / "tests" / "fuzz" / "endings.cc", "-o", self.program]
        subprocess.run(command, check=True, env={**os.environ, "HEDDLE_CXX": given.compiler})

    def heddle(self, *words):
        command = [driver.bin_dir() / "heddle", *words]
        return subprocess.run(command, cwd=self.directory, capture_output=True, text=True, timeout=600, check=False)

    def search(self, text, options):
        """Its JSON, and what it printed."""
        ran = self.heddle("run", *options.split(), "--json", "result.json", self.program, text)
        file = self.directory / "result.json"
        report = json.loads(file.read_text()) if file.exists() else {"verdict": "no result", "failures": []}
        file.unlink(missing_ok=True)
        return report, ran

    def complain(self, seed, text, options, problem, ran):
        self.tally["wrong"] += 1
        shown = "\n".join((ran.stdout + ran.stderr).splitlines()[:12])
        print(f"seed {seed}: {text}\n  {options}\n    {problem:.300}\n{shown}", flush=True)

    def check_ending(self, seed, ways):
        text = endings.Ending(seed).text()
        self.tally["endings"] += 1
        chance = random.Random(seed)
        for way in chance.sample(WAYS, ways):
            options = f"{way} {chance.choice(YIELD_AFTER)} {BUDGET}"
            report, ran = self.search(text, options)
            self.tally["searches"] += 1
            self.tally[report["verdict"]] += 1
            if ran.returncode != 0 or report["failures"] or report["verdict"] not in ("passed", "incomplete"):
                self.complain(seed, text, options, f"ends under every fair scheduler; exit code {ran.returncode}", ran)

    def check_spin(self, loop):
        text = f"{loop}|post:0|set:0 set:1"
        seen = {}
        for way in SPIN_WAYS:
            report, ran = self.search(text, f"--strategy {way} --executions 1")
            seen[way] = report["max_steps"]
            if ran.returncode != 0:
                self.complain(loop, text, way, f"a spin; exit code {ran.returncode}", ran)
        if len(set(seen.values())) != 1:
            self.complain(loop, text, "--executions 1", f"steps: {seen}", ran)

    def check_livelock(self, seed):
        kind, text = endings.endless(seed)
        self.tally["livelocks"] += 1
        self.tally[kind] += 1
        for strategy in FINDERS:
            options = f"--strategy {strategy} --executions {LIMIT} --max-steps 200000 --seconds 12"
            report, ran = self.search(text, options)
            if [failure["kind"] for failure in report["failures"]] == ["livelock"]:
                self.tally[f"by {strategy}"] += 1
                self.most[strategy] = max(self.most[strategy], report["executions"])
                return self.check_finding(seed, text, options, report["failures"][0], ran)
        return self.complain(seed, text, options, "has a fair cycle", ran)

    def check_finding(self, seed, text, options, failure, ran):
        cycle = failure["cycle"]
        if not cycle or not 1 <= cycle["length"] <= 200_000:
            self.complain(seed, text, options, f"the cycle: {cycle}", ran)
        for more in ([], ["--times", "3"]):
            again = self.heddle("replay", "--trust", *more, "--json", "replay.json", failure["schedule"])
            problem = ""
            if again.returncode != 1 or "livelock" not in again.stdout:
                problem = f"replay {more}: exit code {again.returncode}"
            if problem:
                self.complain(seed, text, options, problem, again)


def main():
    given = arguments()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="heddle-endings-", dir=driver.scratch()) as directory:
        fuzzer = Fuzzer(pathlib.Path(directory), given)
        for loop in SPINS:
            fuzzer.check_spin(loop)
        for seed in given.endings:
            fuzzer.check_ending(seed, given.ways)
        middle = time.monotonic()
        for seed in given.livelocks:
            fuzzer.check_livelock(seed)
    tally = fuzzer.tally
    print(
        f"{tally['endings']} programs that end: {tally['searches']} searches, {tally['passed']} passed, "
        f"{tally['incomplete']} incomplete; {middle - begin:.0f} s"
    )
    kinds = ", ".join(f"{tally[kind]} {kind}" for kind in ("never", "gate", "ring", "polite", "fight"))
    found = "; ".join(f"{tally[f'by {way}']} by {way}, after {fuzzer.most[way]} executions at most" for way in FINDERS)
    print(f"{tally['livelocks']} with a fair cycle ({kinds}), found: {found}; {time.monotonic() - middle:.0f} s")
    print(f"{tally['wrong']} wrong")
    return 1 if tally["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""--retries last on random programs with retry loops (tests/oracle/retry_generate.py): the final values and the failures are those of
plain depth-first search, and those of the search with reduction that leaves no round out.

By hand, with as many programs as you like:
  HEDDLE_BIN_DIR=build/release/bin HEDDLE_SOURCE_DIR=. python3 tests/cli/retries_random.py --seeds 1000-3000 --level 2
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "oracle"))
import retry_generate

BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
REDUCED = ("--strategy", "dfs", "--reduce", "dpor")
PLAIN = ("--strategy", "dfs", "--preemptions", "none")
BATCH = 50
MOST_EXECUTIONS = 6_000  # of a plain search; longer ones are compared with a search that reduces


def range_of(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def search(binary, number, *options):
    """The report, the final values, and what failed."""
    command = [BIN / "heddle", "run", "--keep-going", "--quiet", "--show-output", "--explain", "off", "--json", "report", "--out", "out"]
    with tempfile.TemporaryDirectory(prefix="heddle-retries-") as folder:
        ran = subprocess.run(
            [*command, *options, "--", binary, str(number)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, check=False
        )  # fmt: skip
        if ran.returncode not in (0, 1):
            sys.exit(f"{number}: {' '.join(map(str, options))}: exit code {ran.returncode}\n{ran.stderr}")
        report = json.loads((pathlib.Path(folder) / "report").read_text(encoding="utf-8"))
    finals = {line for line in ran.stdout.splitlines() if line.startswith("final ")}
    failures = {(failure["kind"], failure.get("message")) for failure in report["failures"]}
    return report, finals, failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=range_of, default=range(1, 25))
    parser.add_argument("--level", default="1", help="of optimisation")
    parser.add_argument("--compiler", default="heddle-c++")
    arguments = parser.parse_args()
    seeds = list(arguments.seeds)
    differ = 0
    compared = cut = runs = of_all = 0
    with tempfile.TemporaryDirectory(prefix="heddle-retries-") as folder:
        for begin in range(0, len(seeds), BATCH):
            programs = {seed: retry_generate.program(seed) for seed in seeds[begin : begin + BATCH]}
            source, binary = pathlib.Path(folder) / "programs.cc", pathlib.Path(folder) / "programs"
            source.write_text(retry_generate.source(programs), encoding="utf-8")
            subprocess.run([BIN / arguments.compiler, "-std=c++20", f"-O{arguments.level}", "-g", "-w", source, "-o", binary], check=True)
            for seed in programs:
                all_report, *expected = search(binary, seed, *REDUCED)
                report, *found = search(binary, seed, *REDUCED, "--retries", "last")
                assert all_report["coverage"]["complete"] and report["coverage"]["complete"], seed
                plain_report, *plain = search(binary, seed, *PLAIN, "--executions", str(MOST_EXECUTIONS))
                if plain_report["coverage"]["complete"]:
                    compared += 1
                    expected = plain
                runs += report["executions"]
                of_all += all_report["executions"]
                cut += report["executions"] < all_report["executions"]
                if found == expected:
                    continue
                differ += 1
                print(f"seed {seed}:")
                for body in programs[seed]:
                    print("  thread: " + "\n          ".join(body))
                for name, ours, theirs in zip(("final values", "failures"), expected, found):
                    print(f"  {name}: missing {sorted(ours - theirs)}, too many {sorted(theirs - ours)}", flush=True)
    print(f"{len(seeds)} programs, {compared} of them compared with plain search; fewer executions of {cut}: {runs:,} instead of {of_all:,}")
    assert differ == 0, f"{differ} programs differ"
    assert cut > len(seeds) // 10, "hardly a round was left out"


main()

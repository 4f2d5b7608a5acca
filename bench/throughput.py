#!/usr/bin/env python3
"""Executions per second of a 20-step test: natively in a loop, with a process for each, and as Heddle does it.

Everything is measured side by side in one run, three rounds, and the median of each is printed, since machines are noisy. Called by
`./dev bench throughput`, which sets HEDDLE_BIN_DIR.
"""

import json
import os
import pathlib
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
ROUNDS = 3


def output(*command, **environment):
    return subprocess.run(
        [str(word) for word in command],
        check=True,
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    ).stdout.decode()


def heddle(program, *options, **environment):
    return json.loads(output(BIN / "heddle", "run", "--quiet", "--json", "-", *options, program, **environment))


def main():
    with tempfile.TemporaryDirectory() as folder:
        controlled = pathlib.Path(folder) / "throughput"
        native = pathlib.Path(folder) / "throughput-native"
        hooked = pathlib.Path(folder) / "hook"
        bare = pathlib.Path(folder) / "hook-bare"
        flags = ["-std=c++20", "-O2", "-g"]
        output(BIN / "heddle-c++", *flags, HERE / "programs/throughput.cc", "-o", controlled)
        # Native is native: the plain compiler; the header's functions come from the library, which does nothing.
        output("g++", *flags, f"-I{BIN.parent}/include", HERE / "programs/throughput.cc", f"-L{BIN.parent}/lib", "-lheddle",
               f"-Wl,-rpath,{BIN.parent}/lib", "-o", native)
        output(BIN / "heddle-c++", *flags, HERE / "programs/hook.cc", "-o", hooked)
        output("g++", *flags, HERE / "programs/hook.cc", "-o", bare)

        rates = {"native": [], "fork": [], "dfs": []}
        steps, hooks = [], []
        length = None
        for _ in range(ROUNDS):
            rates["native"].append(float(output(native, 20000)))
            forked = heddle(controlled, "--strategy", "dfs", "--preemptions", "none", "--isolation", "fork",
                            "--executions", "2000")
            rates["fork"].append(forked["executions_per_second"])
            length = forked["max_steps"]
            searched = heddle(controlled, "--strategy", "dfs", "--preemptions", "none", HEDDLE_BENCH_REPEAT="1")
            assert searched["coverage"]["complete"], searched
            rates["dfs"].append(searched["executions_per_second"])
            steps.append(searched["seconds"] * 1e9 / searched["steps"])
            hooks.append(float(output(hooked)) - float(output(bare)))

        median = {name: statistics.median(values) for name, values in rates.items()}
        print(f"two threads, five fetch_add each: {length} steps; median of {ROUNDS} rounds")
        print(f"  natively, in a loop          {median['native']:12,.0f} executions/s")
        print(f"  dfs, --isolation fork        {median['fork']:12,.0f} executions/s")
        print(f"  dfs, --isolation snapshot    {median['dfs']:12,.0f} executions/s"
              f"   {median['dfs'] / median['native']:.0f} times native, {median['dfs'] / median['fork']:.0f} times fork")
        print(f"  a step                       {statistics.median(steps):12.1f} ns")
        print(f"  an inactive hook             {statistics.median(hooks):12.2f} ns")


main()

#!/usr/bin/env python3
"""Runs one script of tests/cli, or another test script, in a fresh directory.

usage: run_script.py --bin-dir DIR --source-dir DIR [--timeout SECONDS] SCRIPT [ARGUMENT...]

The script (.sh with bash -eu, .py with Python) sees HEDDLE_BIN_DIR, where heddle, heddle-cc and
heddle-c++ are, and HEDDLE_SOURCE_DIR, the root of the sources. Exit code 77 means skipped.
"""

import argparse
import pathlib
import sys
import tempfile

import processes


def main():
    parser = argparse.ArgumentParser(description="Runs one test script in a fresh directory.")
    parser.add_argument("--bin-dir", type=pathlib.Path, required=True)
    parser.add_argument("--source-dir", type=pathlib.Path, required=True)
    parser.add_argument("--timeout", type=float, default=600.0)
    parser.add_argument("script", type=pathlib.Path)
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()

    script = str(options.script.resolve())
    interpreter = [sys.executable] if script.endswith(".py") else ["bash", "-eu"]
    bin_dir = options.bin_dir.resolve()
    environment = processes.clean_environment(bin_dir)
    environment["HEDDLE_BIN_DIR"] = str(bin_dir)
    environment["HEDDLE_SOURCE_DIR"] = str(options.source_dir.resolve())
    with tempfile.TemporaryDirectory(prefix="heddle-test-", ignore_cleanup_errors=True) as directory:
        result = processes.run(
            interpreter + [script] + options.arguments, directory, environment, options.timeout
        )
    print(result.stdout, end="")
    sys.stdout.flush()
    print(result.stderr, end="", file=sys.stderr)
    if result.timed_out:
        print(f"{script}: no end after {options.timeout:g} seconds")
        return 1
    if result.left_behind:
        print(f"{script}: processes left behind: {result.left_behind}")
        return 1
    return result.exit


if __name__ == "__main__":
    sys.exit(main())

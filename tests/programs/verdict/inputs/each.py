"""Runs one program with many arguments: each search of it must come to the same.

usage: each.py EXPECTED HEDDLE [OPTION...] -- PROGRAM WORDS...

EXPECTED is `passed`, or the kind of the one failure that each must find. WORDS are lists with commas
between their words; the program is run with every combination of one word of each list.

Prints each run that comes to something else. Exit code 1 if there is one.
"""

import itertools
import json
import subprocess
import sys


def answer(heddle, options, program):
    command = [heddle, "run", "--quiet", "--json", "each.json", *options, *program]
    with open("each.json", "w", encoding="utf-8") as file:
        file.write("{}")
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    with open("each.json", encoding="utf-8") as file:
        report = json.load(file)
    if "verdict" not in report:
        return f"exit code {result.returncode}: {result.stdout}"
    kinds = sorted({failure["kind"] for failure in report["failures"]})
    return " ".join(kinds) if kinds else report["verdict"]


def main():
    expected, heddle = sys.argv[1:3]
    middle = sys.argv.index("--")
    options, program, lists = sys.argv[3:middle], sys.argv[middle + 1], sys.argv[middle + 2 :]
    runs = 0
    bad = 0
    for words in itertools.product(*(words.split(",") for words in lists)):
        runs += 1
        found = answer(heddle, options, [program, *words])
        if found != expected:
            bad += 1
            print(f"{' '.join(words)}: {found}")
    if bad != 0:
        print(f"{bad} of {runs} runs of {program}: not {expected}")
    return 1 if bad != 0 else 0


if __name__ == "__main__":
    sys.exit(main())

"""Puts one question to many searches of one program: all of them must answer it with yes.

usage: searches.py [--check] GROUPS EXPRESSION HEDDLE [OPTION...] -- PROGRAM [ARGUMENTS...]

GROUPS are names of the table below, with commas between them. EXPRESSION is one of Python, over
  j        the JSON of the search
  verdict  j["verdict"], and `unrepeatable` or `unsupported` if that is what it came to
  kinds    the kinds of its failures, a set
  dfs      the JSON of plain depth-first search with the same options, for comparisons
OPTIONs are given to every search. With --check the program is not run by `heddle run` but calls
heddle::check itself: it gets `check` as its first argument (see subject.h), and the options in
HEDDLE_OPTIONS.

ARGUMENTS with commas are several: the program is searched with every combination. Each is split at its blanks: of
`'8 0,4 4' 1` come the arguments 8 0 1, and 4 4 1.

Prints each search that answers otherwise. Exit code 1 if there is one.
"""

import itertools
import json
import os
import shlex
import subprocess
import sys

REDUCED = "--strategy dfs --reduce dpor"
BY_ORDER = "--strategy best-first --reduce dpor --order"
SEARCHES = {
    "auto": [""],
    "dfs": ["--strategy dfs"],
    "dpor": [REDUCED],
    "variants": [
        f"{REDUCED} --sleep-sets off",
        f"{REDUCED} --jobs 2",
        f"{REDUCED} --isolation fork",
        "--reduce dpor",
        "--jobs 2",
        "--isolation fork",
    ],
    "orders": [f"{BY_ORDER} {order}" for order in ("pb", "dpor", "ss", "mdpor", "rand", "mdpor,pb")]
    + [f"{BY_ORDER} {order} --sleep-sets off" for order in ("pb", "mdpor,pb")],
}
# Those with reduction from beginning to end.
SEARCHES["reduced"] = (
    SEARCHES["dpor"] + [s for s in SEARCHES["variants"] if "--reduce" in s] + SEARCHES["orders"]
)
SEARCHES["all"] = (
    SEARCHES["auto"] + SEARCHES["dfs"] + SEARCHES["dpor"] + SEARCHES["variants"] + SEARCHES["orders"]
)


def search(heddle, options, program, through_check):
    file = "searches.json"
    if os.path.exists(file):
        os.remove(file)
    environment = dict(os.environ)
    options = options + ["--quiet", "--json", file]
    if through_check:
        environment["HEDDLE_OPTIONS"] = shlex.join(options)
        command = [program[0], "check", *program[1:]]
    else:
        command = [heddle, "run", *options, *program]
    result = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        with open(file, encoding="utf-8") as written:
            return json.load(written)
    except (OSError, ValueError):
        sys.exit(f"{shlex.join(command)}\n  exit code {result.returncode}, no JSON:\n{result.stdout}")


def verdict_of(report):
    for word in ("unrepeatable", "unsupported"):
        if report[word]:
            return word
    return report["verdict"]


def ask(groups, expression, heddle, options, program, through_check):
    """How many of the searches answer otherwise."""
    dfs = None
    if "dfs" in expression:
        dfs = search(heddle, ["--strategy", "dfs", *options], program, through_check)
    asked = dict.fromkeys(s for group in groups.split(",") for s in SEARCHES[group])
    bad = 0
    for how in asked:
        report = search(heddle, how.split() + options, program, through_check)
        kinds = {failure["kind"] for failure in report["failures"]}
        names = {"j": report, "verdict": verdict_of(report), "kinds": kinds, "dfs": dfs}
        if eval(expression, names) is not True:
            bad += 1
            print(
                f"{' '.join([how, *options])}: {names['verdict']} {sorted(kinds)},"
                f" {report['executions']} executions, {report['distinct']} distinct"
            )
    if bad != 0:
        print(f"{bad} of {len(asked)} searches of {shlex.join(program)}: not {expression}")
    return bad


def main():
    arguments = sys.argv[1:]
    through_check = arguments[0] == "--check"
    if through_check:
        arguments = arguments[1:]
    groups, expression, heddle = arguments[:3]
    middle = arguments.index("--")
    options, program = arguments[3:middle], arguments[middle + 1 :]

    bad = 0
    for words in itertools.product(*(word.split(",") for word in program[1:])):
        one = [program[0], *" ".join(words).split()]
        bad += ask(groups, expression, heddle, options, one, through_check)
    return 1 if bad != 0 else 0


if __name__ == "__main__":
    sys.exit(main())

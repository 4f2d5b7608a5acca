#!/usr/bin/env python3
"""The critical step of a failure is right: by all continuations of a model that shares nothing with Heddle.

The failing executions of small programs are followed, step by step, in the machine of tests/oracle. The critical step is
the last one before which an execution that passes could still begin so; in the machine that is a matter of its states.

By hand, with other programs:
  HEDDLE_BIN_DIR=build/release/bin HEDDLE_SOURCE_DIR=. python3 tests/cli/explain_critical.py --seeds 7 8 --count 60
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "oracle"))
import classics
import compare
import generate
import machine
import model

DECISION = re.compile(r"^(\d+) (\d+) thread", re.MULTILINE)


def numbered(options, running):
    """As a choice point numbers them: the running thread, the others, and then those that give way, of which the order
    is not known here."""
    ready = [option for option in options if not option.late]
    ready.sort(key=lambda option: (option.thread != running, option.thread, option.outcome))
    late = [option for option in options if option.late]
    return ready if ready or len(late) > 1 else late


def followed(program, decisions):
    """The states that the execution comes through, and how it ends; None: where it goes is not known here."""
    simulated = machine.Machine(program)
    state, running, states = simulated.start(), 0, []
    while True:
        options = simulated.options(state)
        if not options:
            return states, simulated.deadlock()
        choices = numbered(options, running)
        choice = decisions.get(len(states), 0)
        if choice >= len(choices):
            return None
        states.append(state)
        running, outcome = choices[choice][:2]
        state = simulated.step(state, running, outcome)
        if hasattr(state, "kind"):
            return states, state


def has_passing(program):
    """A function that says whether an execution passes that comes to a state."""
    simulated, known = machine.Machine(program), {}

    def passes(state):
        if state not in known:
            afters = (simulated.step(state, *option[:2]) for option in simulated.options(state))
            known[state] = any(after.kind == "finished" if hasattr(after, "kind") else passes(after) for after in afters)
        return known[state]

    return passes


def search(binary, number, options, directory):
    report = directory / "report.json"
    command = [compare.bin_dir() / "heddle", "run", "--quiet", "--fair", "off", "--races", "ignore", "--out", directory]
    subprocess.run([*command, "--json", report, *options, binary, str(number)], stdin=subprocess.DEVNULL, timeout=300)
    return json.loads(report.read_text())


def mistake(program, failure):
    """What is wrong with a failure that was told; "": nothing; None: it cannot be said."""
    schedule = pathlib.Path(failure["schedule"]).read_text()
    decisions = {int(step): int(choice) for step, choice in DECISION.findall(schedule)}
    went = followed(program, decisions)
    if went is None:
        return None
    states, ending = went
    if (ending.kind, len(states)) != (failure["kind"], failure["steps"]):
        return f"{ending.kind} after {len(states)} steps, not {failure['kind']} after {failure['steps']}"
    passes = has_passing(program)
    expected = max((step for step, state in enumerate(states) if passes(state)), default=None)
    critical = failure["critical"]
    if critical is None or not critical["all"]:
        return f"critical: {critical}, of {len(states)} steps"
    if critical["step"] != expected:
        return f"critical step {critical['step']}, expected {expected}"
    if (failure["twin"] is None) != (expected is None):
        return f"twin: {failure['twin']}"
    return ""


def check(programs, strategy):
    binary = compare.built_once(compare.render.render(programs), "g++")
    wrong, right, unknown = [], 0, 0
    for number, program in enumerate(programs):
        with tempfile.TemporaryDirectory(prefix="heddle-critical-") as directory:
            report = search(binary, number, ["--strategy", strategy, "--executions", "2000"], pathlib.Path(directory))
            for failure in report["failures"]:
                what = mistake(program, failure)
                right += what == ""
                unknown += what is None
                if what:
                    wrong.append(f"{program.name} ({strategy}): {what}\n{program}")
    print(f"{strategy}: {right} right, {unknown} cannot be followed, {len(wrong)} wrong")
    print("\n".join(wrong), end="\n" if wrong else "")
    return right, not wrong


def main():
    parser = argparse.ArgumentParser(description="Compares critical steps with the oracle's.")
    parser.add_argument("--seeds", type=int, nargs="+", default=[31])
    parser.add_argument("--count", type=int, default=40, help="programs of each seed")
    parser.add_argument("--at-least", type=int, default=25, help="failures of which the step is right")
    options = parser.parse_args()
    programs = [model.program(name, text) for name, text in classics.PROGRAMS.items()]
    for seed in options.seeds:
        programs += generate.programs(seed, options.count)
    good = True
    for strategy in ("auto", "random"):
        right, none_wrong = check(programs, strategy)
        good &= none_wrong and right >= options.at_least
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

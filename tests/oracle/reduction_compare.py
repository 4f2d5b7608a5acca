"""Compares searches that must cover the same: with reduction and without, in every order.

Plain depth-first search is the measure. It visits every schedule; what it finds is a set of
fingerprints, a set of final values and a set of failures. A search with reduction must find the same
sets, whatever the order of the fringe, with sleep sets or without, with one worker or two; and so must the
parts of one that is divided, together. A search with a bound, on preemptions, delays or depth, reduces nothing: every order must make the same executions, each once.
"""

import itertools
import json
import pathlib
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass, field

import compare

# Programs whose plain search takes longer are left out.
MOST_EXECUTIONS = 20_000
PATIENCE = 60.0  # seconds, of one search
ORDERS = ("pb", "dpor", "ss", "mdpor", "rand", "mdpor,pb")
BOUNDS = (
    ("--preemptions", "0"),
    ("--preemptions", "1"),
    ("--preemptions", "2"),
    ("--preemptions", "none", "--delays", "2"),
    ("--preemptions", "none", "--depth", "8"),
)
PLAIN = ("--strategy", "dfs", "--reduce", "none")


class Broken(Exception):
    """The search did not end as it should, or contradicts itself."""


class TooLong(Exception):
    pass


@dataclass
class Found:
    """What a search has found."""

    report: dict
    lines: list  # of the list of executions: (fingerprint, sequence, ending, failure key)
    finals: list  # final values, in the order in which they were printed
    whole: list = field(init=False)  # lines without those of executions that were given up or cut short

    def __post_init__(self):
        self.whole = [line for line in self.lines if line[2] not in ("pruned", "redundant")]

    def sets(self):
        yield "fingerprints", {line[0] for line in self.whole}
        yield "final values", set(self.finals)
        yield "failures", {line[2:] for line in self.whole if line[2] != "finished"}

    def redundant(self):
        """How many runs were cut short, or came to a fingerprint that was known."""
        given_up = sum(line[2] == "pruned" for line in self.lines)  # by the program
        return len(self.lines) - given_up - len({line[0] for line in self.whole})


def search(binary, number, options, limit=None):
    """Runs program `number` of the binary. Throws TooLong at the limit, Broken."""
    with tempfile.TemporaryDirectory(prefix="heddle-reduction-") as directory:
        folder = pathlib.Path(directory)
        command = [compare.bin_dir() / "heddle", "run", "--keep-going", "--quiet", "--show-output"]
        # The programs have no plain accesses but those to their results, which main prints.
        command += ["--races", "ignore", "--json", "report", "--out", "out"]
        command += ["--list-executions", "list", *options]
        command += ["--executions", str(limit)] if limit else []
        with open(folder / "output", "w", encoding="utf-8") as output:
            result = subprocess.run(
                [*command, binary, str(number)], stdout=output, stderr=subprocess.PIPE, text=True,
                cwd=directory, timeout=PATIENCE,
            )  # fmt: skip
        printed = (folder / "output").read_text(encoding="utf-8").splitlines()
        if result.returncode not in (0, 1):
            raise Broken(f"exit code {result.returncode}: {result.stderr}" + "\n".join(printed[-20:]))
        report = json.loads((folder / "report").read_text(encoding="utf-8"))
        rows = (line.split() for line in (folder / "list").read_text().splitlines()[1:])
        lines = [(row[0], row[1], row[2], row[3]) for row in rows]
    if limit and report["executions"] >= limit:
        raise TooLong
    finals = [line.removeprefix("final ") for line in printed if line.startswith("final ")]
    found = Found(report, lines, finals)
    check_summary(found)
    return found


def search_parts(binary, number, options, count):
    """The parts of a search that is divided, together."""
    lines, finals = [], []
    for index in range(1, count + 1):
        part = search(binary, number, (*options, "--shard", f"{index}/{count}"))
        lines += part.lines
        finals += part.finals
    return Found(part.report, lines, finals)


def check_summary(found):
    """The summary agrees with the list."""
    report = found.report
    failing = [line for line in found.whole if line[2] != "finished"]
    fingerprints = {line[0] for line in found.whole}
    expected = {
        "executions": len(found.lines),
        "pruned": len(found.lines) - len(found.whole),
        "distinct": len(fingerprints),
        "failing_executions": len(failing),
        "verdict": "failed" if failing else "incomplete" if report.get("shard") else "passed",
        "failure kinds": sorted({line[2] for line in failing}),
    }
    told = {**report, "failure kinds": sorted({failure["kind"] for failure in report["failures"]})}
    for name, value in expected.items():
        if told[name] != value:
            raise Broken(f"{name}: the list of executions says {value}, the summary {told[name]}")
    if not (report.get("shard") or report["coverage"])["complete"]:
        raise Broken("the search is not complete")
    if len(found.finals) != len(found.whole) - len(failing):
        raise Broken(f"{len(found.whole) - len(failing)} executions finished, {len(found.finals)} printed")


def check_plain(found):
    """Of a search that visits every schedule once: the fingerprint says what an execution came to."""
    twice = [sequence for sequence, n in Counter(line[1] for line in found.lines).items() if n > 1]
    if twice:
        raise Broken(f"{len(twice)} executions were made twice")
    finals = iter(found.finals)
    meaning = {}
    for line in found.whole:
        came_to = (*line[2:], next(finals) if line[2] == "finished" else None)
        if meaning.setdefault(line[0], came_to) != came_to:
            raise Broken(f"fingerprint {line[0]} stands for {came_to} and for {meaning[line[0]]}")


def difference(plain, other):
    """What `other` has missed or made up; empty if nothing."""
    problems = []
    for (name, ours), (_, theirs) in zip(plain.sets(), other.sets()):
        for what, which in [("missing", ours - theirs), ("not in the plain search", theirs - ours)]:
            if which:
                problems.append(f"{name}: {len(which)} of {len(ours)} {what}, e.g. {min(which)}")
    return problems


def bounded_difference(plain, other):
    """Every execution, once."""
    ours, theirs = (Counter(line[1:] for line in found.lines) for found in (plain, other))
    if ours == theirs:
        return []
    missing, extra = (ours - theirs).total(), (theirs - ours).total()
    twice = sum(n - 1 for n in theirs.values())
    return [f"of {len(ours)} executions {missing} are missing; {extra} too many, {twice} made twice"]


def reductions():
    """The options of each way to search with reduction."""
    strategies = [["--strategy", "dfs"]]
    strategies += [["--strategy", "best-first", "--order", order] for order in ORDERS]
    for strategy, sleep, jobs in itertools.product(strategies, ("on", "off"), ("1", "2")):
        yield (*strategy, "--reduce", "dpor", "--sleep-sets", sleep, "--jobs", jobs)


def bounded_orders():
    for order, jobs in itertools.product(ORDERS, ("1", "2")):
        yield ("--strategy", "best-first", "--order", order, "--reduce", "none", "--jobs", jobs)


def rotated(ways, turn, count):
    """`count` of the ways, others in each turn; after so many turns as there are ways, each has come
    equally often."""
    ways = list(ways)
    return [ways[(turn * count + i) % len(ways)] for i in range(count)]


@dataclass
class Checked:
    problems: list = field(default_factory=list)  # (options, text)
    skipped: bool = False  # the plain search is too long
    plain: int = 0  # executions of the plain search
    distinct: int = 0
    ways: Counter = field(default_factory=Counter)  # how often which options were compared
    runs: Counter = field(default_factory=Counter)  # executions, by "--sleep-sets" value
    redundant: Counter = field(default_factory=Counter)  # of them beyond one for each fingerprint


def part_counts(turn):
    """How many parts a search is divided into: mostly few, for small programs have few prefixes."""
    return (2, 3, 2, 5, 1, 3)[turn % 6]


def check_reduction(binary, number, turn, count, checked, extra, most, divided):
    plain = search(binary, number, (*PLAIN, *extra), most)
    check_plain(plain)
    checked.plain, checked.distinct = len(plain.lines), plain.report["distinct"]
    ways = [(way, 0) for way in rotated(reductions(), turn, count)]
    ways += [(way, part_counts(turn + i)) for i, way in enumerate(rotated(reductions(), turn + 7, divided))]
    for way, parts in ways:
        options = (*way, *extra)
        try:
            reduced = search_parts(binary, number, options, parts) if parts else search(binary, number, options)
            problems = difference(plain, reduced)
        except (Broken, subprocess.TimeoutExpired) as error:
            problems = [str(error)]
        else:
            sleep = way[way.index("--sleep-sets") + 1] + (" in parts" if parts else "")
            checked.runs[sleep] += len(reduced.lines)
            checked.redundant[sleep] += reduced.redundant()
        checked.ways[(*way, parts) if parts else way] += 1
        checked.problems += [((*options, f"in {parts} parts") if parts else options, problem) for problem in problems]


def check_bounded(binary, number, turn, count, checked, extra, most):
    bound = BOUNDS[turn % len(BOUNDS)]
    plain = search(binary, number, (*PLAIN, *bound, *extra), most)
    check_plain(plain)
    for way in rotated(bounded_orders(), turn // len(BOUNDS), count):
        options = (*way, *bound, *extra)
        try:
            problems = bounded_difference(plain, search(binary, number, options))
        except (Broken, subprocess.TimeoutExpired) as error:
            problems = [str(error)]
        checked.ways[(*way, *bound)] += 1
        checked.problems += [(options, problem) for problem in problems]


def check(binary, number, turn, count=4, bounded=1, extra=(), most=MOST_EXECUTIONS, divided=1):
    """One program: `count` of the reductions, `divided` in parts, `bounded` of the bounded searches."""
    checked = Checked()
    try:
        check_reduction(binary, number, turn, count, checked, extra, most, divided)
        check_bounded(binary, number, turn, bounded, checked, extra, most)
    except TooLong:
        checked.skipped = True
    except (Broken, subprocess.TimeoutExpired) as error:
        checked.problems.append((PLAIN, str(error)))
    return checked

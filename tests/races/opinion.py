"""The second opinion: a program under the compiler's own ThreadSanitizer."""

import os
import re
import subprocess
from dataclasses import dataclass

REPORT = re.compile(r"WARNING: ThreadSanitizer: (.*) \(pid")
# `Write of size 4 at 0x… by thread T1:`, then its stack.
ACCESS = re.compile(
    r"^  (?:Previous )?(?:atomic )?(?:read|write) of size .*:\n((?:    #.*\n)+)", re.M | re.I
)
OPTIONS = "exitcode=66 atexit_sleep_ms=50 history_size=2"
NEVER_ENDS = 60.0  # seconds
# Kernels that scatter mappings too far for it need this before the command.
WITHOUT_SCATTERING = ["setarch", "-R"]


@dataclass
class Opinion:
    runs: int
    found: int  # in how many of the runs
    lines: frozenset  # of the program, that took part in a race
    other: str  # reports that are not about races, or the run's own failure


def lines_of(report, source):
    """For each access the innermost line of the source itself."""
    for access in ACCESS.finditer(report):
        place = re.search(rf"{re.escape(source)}:(\d+)", access[1])
        if place:
            yield int(place[1])


def run(binary):
    environment = {**os.environ, "TSAN_OPTIONS": OPTIONS}
    for before in ([], WITHOUT_SCATTERING):
        result = subprocess.run(
            [*before, str(binary)],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=NEVER_ENDS,
        )
        if "unexpected memory mapping" not in result.stderr:
            break
    return result


def ask(binary, source, runs, enough=lambda found: False):
    found, lines, other, made = 0, set(), "", 0
    for made in range(1, runs + 1):
        result = run(binary)
        kinds = {kind.strip() for kind in REPORT.findall(result.stderr)}
        races = {k for k in kinds if k.startswith("data race") or k == "heap-use-after-free"}
        if races:
            found += 1
            lines.update(lines_of(result.stderr, source))
        if kinds - races or (not races and result.returncode != 0):
            other = f"exit code {result.returncode}\n{result.stdout}{result.stderr}"
        if enough(found):
            break
    return Opinion(made, found, frozenset(lines), other)

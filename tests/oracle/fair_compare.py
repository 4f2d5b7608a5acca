"""Has heddle search programs that spin and retry, and compares with what Algorithm 1 (fair.py) does: the states that are visited, and
whether there are executions without end."""

import json
import pathlib
import subprocess
import tempfile

import compare
import fair
import machine
import model

# An execution that is so much longer than all others has no end, in these programs.
ENDLESS = "300"


def declared(state):
    """As render's `states`."""
    begun = [where not in (machine.UNBORN, machine.BEGIN) for where, _, _ in state.threads]
    places = [pc + 1 if has_begun else 0 for has_begun, (_, pc, _) in zip(begun, state.threads)]
    return (*places, *[0] * (model.THREADS - len(places)), *state.variables)


def declared_states(reached):
    """Before main's beginning nothing is declared yet."""
    states = map(fair.plain, reached)
    return {declared(state) for state in states if state.threads[0][0] != machine.BEGIN}


def from_hex(text):
    return tuple(byte - 256 if byte > 127 else byte for byte in bytes.fromhex(text))


def search(binary, number, *options):
    """The JSON of a search, and the states that it visited."""
    with tempfile.TemporaryDirectory(prefix="heddle-fair-") as directory:
        folder = pathlib.Path(directory)
        command = [compare.bin_dir() / "heddle", "run", "--quiet", "--races", "ignore", "--livelock-after", ENDLESS, "--fair", "1"]
        command += [*options, "--json", "report", "--list-states", "states", "--out", "out", binary, str(number)]
        ran = subprocess.run(command, capture_output=True, text=True, cwd=directory)
        if ran.returncode not in (0, 1):
            raise compare.Mismatch(f"exit code {ran.returncode}: {ran.stderr}")
        report = json.loads((folder / "report").read_text())
        lines = (folder / "states").read_text().splitlines()[1:] if (folder / "states").exists() else []
        return report, {from_hex(line.split()[-1]) for line in lines}

"""What the tests of the command `heddle` share: see tests/cli.

Programs under test are the .c and .cc files of this folder, or of tests/programs; each is built once
(see compiled.py). Each test has an empty directory of its own, which goes with it.
"""

import fcntl
import functools
import json
import os
import pathlib
import pty
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from dataclasses import dataclass

BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE_DIR"])
PROGRAMS = SOURCE / "tests" / "programs"
HERE = SOURCE / "tests" / "command"
sys.path.insert(0, str(SOURCE / "tests"))
import compiled
import processes

# For what must come sooner or later; a loaded machine may take its time.
PATIENCE = 60.0


@dataclass
class Ran:
    command: list
    exit: int  # -N after signal N
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)

    def __str__(self):
        words = " ".join(str(word) for word in self.command)
        return f"\n$ {words}\n{self.out}{self.err}[exit code {self.exit}]"


@functools.cache
def programs_folder():
    """Of the programs of all tests; it goes when the script ends."""
    return tempfile.TemporaryDirectory(prefix="heddle-built-", ignore_cleanup_errors=True)


@functools.cache
def built(source, *flags):
    """The program of a source file, built with the wrapper that fits."""
    source = pathlib.Path(source)
    if not source.is_absolute():
        source = HERE / source
    folder = pathlib.Path(tempfile.mkdtemp(dir=programs_folder().name))
    program = folder / source.stem
    wrapper = ["heddle-cc"] if source.suffix == ".c" else ["heddle-c++", "-std=c++20"]
    command = [BIN / wrapper[0], *wrapper[1:], "-O1", "-g", source, "-o", program, *flags]
    done = compiled.compile_with(command, folder, os.environ)
    sys.stderr.write(done.stderr)
    done.check_returncode()
    return program


def eventually(condition, seconds=PATIENCE):
    """Whether the condition comes true in time."""
    end = time.monotonic() + seconds * processes.overload()
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def state_of(pid):
    """Its letter in /proc; empty if there is no such process."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return ""
    return text.rsplit(")", 1)[1].split()[0]


def ticks(pid):
    """Of the processor's time that it has used; 0 if there is no such process."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return 0
    fields = text.rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def is_alive(pid):
    return state_of(pid) not in ("", "Z", "X")


def children(pid):
    """Living ones."""
    try:
        text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split() if is_alive(int(word))]


def descendants(pid):
    found = []
    for child in children(pid):
        found += [child, *descendants(child)]
    return found


def memory_kb(pid):
    """Resident memory, without what lies in shared mappings, and with it; None: it is gone."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    values = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    if "VmRSS" not in values:
        return None
    return int(values["RssAnon"].split()[0]), int(values["VmRSS"].split()[0])


def kill(pid, number=signal.SIGKILL):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


class Search:
    """A `heddle` that runs while the test looks on. Its nurseries are its children, and their
    children the workers."""

    def __init__(self, command, directory, environment, **streams):
        self.command = command
        self.out = tempfile.TemporaryFile()
        self.err = tempfile.TemporaryFile()
        how = {"stdin": subprocess.DEVNULL, "stdout": self.out, "stderr": self.err, **streams}
        self.process = subprocess.Popen(command, cwd=directory, env=environment, **how)
        self.pid = self.process.pid

    def nurseries(self):
        return children(self.pid)

    def workers(self):
        return [worker for nursery in self.nurseries() for worker in children(nursery)]

    def running(self):
        return self.process.poll() is None

    def wait(self, seconds=PATIENCE):
        processes.wait(self.process, seconds)
        return Ran(self.command, self.process.returncode, text(self.out), text(self.err))

    def end(self):
        """For clean-up: whatever has become of it."""
        self.process.kill()
        self.process.wait()
        self.out.close()
        self.err.close()


def text(file):
    file.seek(0)
    return file.read().decode("utf-8", errors="replace")


class CommandTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="heddle-test-", ignore_cleanup_errors=True)
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)
        self.environment = dict(os.environ)
        self.environment.pop("NO_COLOR", None)

    trusts = True  # programs of the tests are not in the directories that they are replayed from

    def command(self, *words):
        if words[:1] == ("replay",) and self.trusts:
            words = ("replay", "--trust", *words[1:])
        return [str(word) for word in (BIN / "heddle", *words)]

    def environment_with(self, env):
        return {**self.environment, **(env or {})}

    def heddle(self, *words, exit=None, cwd=None, env=None, timeout=300):
        """Runs it to the end; checks the exit code (None: any)."""
        command = self.command(*words)
        result = subprocess.run(
            command,
            cwd=cwd or self.dir,
            env=self.environment_with(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout * processes.overload(),
        )
        ran = Ran(
            command,
            result.returncode,
            result.stdout.decode("utf-8", errors="replace"),
            result.stderr.decode("utf-8", errors="replace"),
        )
        if exit is not None:
            self.assertEqual(ran.exit, exit, ran)
        return ran

    def search(self, *words, exit=None, **how):
        """The JSON of a `heddle run`."""
        return self.heddle("run", "--json", "-", *words, exit=exit, **how).json

    def start(self, *words, env=None, **streams):
        search = Search(self.command(*words), self.dir, self.environment_with(env), **streams)
        self.addCleanup(search.end)
        return search

    def on_terminal(self, *words, columns=160, env=None, **streams):
        """All that comes to the terminal; streams that are not given are the terminal."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        how = {"stdin": theirs, "stdout": theirs, "stderr": theirs, **streams}
        environment = self.environment_with({"TERM": "xterm", **(env or {})})
        process = subprocess.Popen(self.command(*words), cwd=self.dir, env=environment, **how)
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 65536):
                shown += part
        except OSError:  # how a terminal says that nobody has it open any more
            pass
        os.close(ours)
        self.code = processes.wait(process, PATIENCE)
        return shown.decode()

    def soon(self, condition, what):
        self.assertTrue(eventually(condition), what)


TIMING = ("seconds", "executions_per_second")


def timeless(report):
    """Without what may differ from run to run."""
    result = {key: value for key, value in report.items() if key not in TIMING}
    stages = [{**stage, "seconds": None} for stage in report["strategy"].get("stages", [])]
    result["strategy"] = {**report["strategy"], "stages": stages}
    return result


def main():
    unittest.main()

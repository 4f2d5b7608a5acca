#!/usr/bin/env python3
"""Completion in a real bash, zsh and fish: what a line becomes when somebody presses the tabulator."""

import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import time
import unittest

BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
TIMEOUT = 60.0

# As typed, and what it becomes.
LINES = [
    ("coop", "cooperative"),
    ("run --preempt", "run --preemptions"),
    ("run --quiet --isolation sn", "run --quiet --isolation snapshot"),
    ("run --strategy best", "run --strategy best-first"),
    ("run --strategy=best", "run --strategy=best-first"),
    ("run --order ss,md", "run --order ss,mdpor"),
    ("run --out sched", "run --out schedules/"),
    ("run --json res", "run --json result.json"),
    ("run --seed 3 ./pro", "run --seed 3 ./program"),
    ("replay --times 3 fail", "replay --times 3 failing.heddle"),
    ("show --scr", "show --script"),
    ("help bou", "help bounds"),
    ("doctor --js", "doctor --json"),
    # What follows the program belongs to it.
    ("run ./program --preempt", "run ./program --preempt"),
    ("run ./program resu", "run ./program result.json"),
    # Not an option of this verb.
    ("show --preempt", "show --preempt"),
]


class Shell:
    """An interactive shell on a terminal of its own."""

    def __init__(self, command, environment):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], command, environment)
        self.seen = ""

    def send(self, text):
        os.write(self.fd, text.encode())

    def wait_for(self, text):
        """What was printed up to the text, which has to come."""
        end = time.monotonic() + TIMEOUT
        while text not in self.seen:
            ready, _, _ = select.select([self.fd], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise AssertionError(f"no {text!r} in {self.seen!r}")
            self.seen += os.read(self.fd, 65536).decode(errors="replace")
        before, _, self.seen = self.seen.partition(text)
        return before

    def close(self):
        self.send("\x03\nexit\n")
        os.close(self.fd)
        os.waitpid(self.pid, 0)


class Completion(unittest.TestCase):
    def setUp(self):
        self.script = pathlib.Path(f"heddle.{self.id().rsplit('_', 1)[-1]}").resolve()
        shell = self.script.suffix[1:]
        text = subprocess.run(
            ["heddle", "help", "--completion", shell], stdout=subprocess.PIPE, check=True, text=True
        ).stdout
        self.script.write_text(text)
        folder = pathlib.Path(f"{shell}-folder").resolve()
        (folder / "schedules").mkdir(parents=True)
        for name in ("result.json", "failing.heddle", "program"):
            (folder / name).touch()
        (folder / "program").chmod(0o755)
        self.folder = folder
        self.environment = dict(os.environ, HOME=str(folder), TERM="dumb", PS1="", LC_ALL="C.UTF-8")

    def complete_lines(self, command, setup):
        """In a shell where heddle is a function that shows its words."""
        if shutil.which(command[0]) is None:
            self.skipTest(f"there is no {command[0]}")
        shell = Shell(command, self.environment)
        try:
            shell.send(f"cd {self.folder}; heddle() {{ echo \"GO\"\"T[$*]\"; }}; {setup}; echo rea''dy\n")
            shell.wait_for("ready")
            for typed, expected in LINES:
                shell.send(f"heddle {typed}\t\n")
                shell.wait_for("GOT[")
                found = shell.wait_for("]").strip()
                # zsh takes the slash of a folder away again.
                self.assertEqual(found.rstrip("/"), expected.rstrip("/"), f"heddle {typed}")
        finally:
            shell.close()

    def test_bash(self):
        self.complete_lines(["bash", "--norc", "--noprofile", "-i"], f"source {self.script}; bind 'set bell-style none'")

    def test_zsh(self):
        functions = self.folder / "functions"
        functions.mkdir()
        shutil.copy(self.script, functions / "_heddle")
        setup = f"fpath=({functions} $fpath); autoload -U compinit; compinit -u -D; unsetopt zle_bracketed_paste beep"
        self.complete_lines(["zsh", "-f", "-i"], setup)

    def test_fish(self):
        if shutil.which("fish") is None:
            self.skipTest("there is no fish")
        for typed, expected in LINES:
            command = f"cd {self.folder}; source {self.script}; complete -C 'heddle {typed}'"
            found = subprocess.run(
                ["fish", "--no-config", "-c", command], env=self.environment, stdout=subprocess.PIPE, check=True, text=True
            ).stdout
            words = [line.split("\t")[0] for line in found.splitlines()]
            wanted = expected.split()[-1]
            if typed == expected:
                self.assertFalse([word for word in words if word.startswith("--preempt")], typed)
            else:
                self.assertIn(wanted, words, typed)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])

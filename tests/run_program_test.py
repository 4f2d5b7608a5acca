#!/usr/bin/env python3
"""The runner's own test: right expectations pass, and each kind of wrong one fails and says where."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

RUNNER = pathlib.Path(__file__).with_name("run_program.py")


class RunProgramTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def run_lines(self, *lines, arguments=()):
        source = self.directory / "program.cc"
        source.write_text("\n".join(lines) + "\nint main() {}\n", encoding="utf-8")
        command = [sys.executable, RUNNER, "--bin-dir", "/nowhere/bin", *arguments, source]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout + done.stderr

    def passes(self, *lines, **options):
        code, output = self.run_lines(*lines, **options)
        self.assertEqual(code, 0, output)

    def fails(self, *lines, saying, code=1):
        actual, output = self.run_lines(*lines)
        self.assertEqual(actual, code, output)
        self.assertIn(saying, output)

    def test_exit_code(self):
        self.passes("// RUN: true")
        self.passes("// RUN: exit 3", "// EXIT: 3")
        self.passes("// RUN: kill -SEGV $$", "// EXIT: 139")
        self.fails("// RUN: exit 3", saying="program.cc:1: exit code 3, expected 0")
        self.fails("// RUN: true", "// EXIT: 1", saying="program.cc:2: exit code 0, expected 1")

    def test_exit_code_belongs_to_the_run_line_above(self):
        self.passes("// RUN: exit 1", "// EXIT: 1", "// RUN: true")
        self.fails("// RUN: true", "// RUN: exit 1", saying="program.cc:2: exit code 1")

    def test_shell_stops_at_the_first_failing_command(self):
        self.fails("// RUN: false; true", saying="exit code 1, expected 0")

    def test_output_in_order(self):
        two = "// RUN: echo one; echo two"
        self.passes(two, "// OUT: ^one$", "// OUT: t.o")
        self.fails(two, "// OUT: two", "// OUT: one", saying="program.cc:3: OUT: one")
        self.fails(two, "// OUT: three", saying="program.cc:2: OUT: three")
        self.fails("// RUN: echo one", "// OUT: one", "// OUT: one", saying="program.cc:3")

    def test_standard_error_follows_standard_output(self):
        self.passes("// RUN: echo err >&2; echo out", "// OUT: out", "// OUT: err")

    def test_forbidden_output(self):
        self.passes("// RUN: echo good", "// NOT: bad")
        self.fails("// RUN: echo bad >&2", "// NOT: b.d", saying="NOT: b.d\n  matches 'bad'")

    def test_json(self):
        written = """// RUN: echo '{"n": 3}'"""
        self.passes(written, '// JSON: j["n"] == 3')
        self.passes(written + " > %t.json; echo text", '// JSON: all(j["n"] > i for i in range(3))')
        self.fails(written, '// JSON: j["n"] == 4', saying='"n": 3')
        self.fails(written, '// JSON: j["m"] == 4', saying="KeyError")
        self.fails(written, '// JSON: j["n"]', saying="gives 3, not True")
        self.fails("// RUN: echo text", "// JSON: True", saying="neither on standard output")

    def test_substitutions(self):
        self.passes("// RUN: test -f %s; test -d %S; echo x > %t.txt; test -f program.txt")
        self.passes("// RUN: echo %cxx %cc %heddle", "// OUT: /bin/heddle-c\\+\\+ .*heddle-cc .*heddle$")
        self.passes("// RUN: printf '%%s-%d' a 1", "// OUT: a-1")

    def test_compiler(self):
        show = "// RUN: echo $HEDDLE_CC $HEDDLE_CXX"
        self.passes(show, "// OUT: ^gcc g\\+\\+$")
        self.passes(show, "// OUT: ^clang clang\\+\\+$", arguments=["--compiler", "clang"])

    def test_timeout_ends_the_whole_group(self):
        pid_file = self.directory / "pid"
        self.fails(
            "// TIMEOUT: 0.5",
            f"// RUN: sleep 1000 & echo $! > {pid_file}; wait",
            saying="program.cc:2: no end after 0.5 seconds",
        )
        self.assert_gone(int(pid_file.read_text()))

    def test_process_left_behind(self):
        self.fails("// RUN: sleep 1000 &", saying="processes left behind")

    def test_requires(self):
        self.passes("// REQUIRES: sh", "// RUN: true")
        self.fails("// REQUIRES: no-such-program", "// RUN: true", saying="skipped", code=77)

    def test_wrong_directives(self):
        self.fails("// RUM: true", saying="unknown directive RUM", code=2)
        self.fails("// Only prose.", saying="no RUN line", code=2)
        self.fails("// EXIT: 1", "// RUN: true", saying="before the first RUN", code=2)
        self.fails("// RUN: true", "// OUT: (", saying="bad regular expression", code=2)
        self.fails("// COMPILERS: icc", "// RUN: true", saying="unknown compiler", code=2)
        self.fails("int x;", "// RUN: true", saying="no RUN line", code=2)

    def assert_gone(self, pid):
        for _ in range(100):
            try:
                os.kill(pid, 0)
                state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
            except (ProcessLookupError, FileNotFoundError):
                return
            if state == "Z":
                return
            time.sleep(0.05)
        self.fail(f"process {pid} is still there")


if __name__ == "__main__":
    unittest.main()

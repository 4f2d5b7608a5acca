#!/usr/bin/env python3
"""What compiled.py keeps, and what makes it compile anew; the wrapper is a script that counts its calls."""

import os
import pathlib
import tempfile
import unittest

import compiled

WRAPPER = """#!/bin/sh
echo "$@" >> {calls}
case "$*" in *bad*) echo "an error" >&2; exit 1;; *says*) echo "a warning" >&2;; esac
while [ $# -gt 0 ]; do if [ "$1" = -o ]; then cat {source} > "$2"; fi; shift; done
"""


class CompiledTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)
        (self.dir / "bin").mkdir()
        self.calls = self.dir / "calls"
        self.source = self.dir / "a.cc"
        self.source.write_text('#include "a.h"\nint main() {}\n')
        self.header = self.dir / "a.h"
        self.header.write_text("\n")
        self.wrapper = self.dir / "bin" / "heddle-c++"
        self.wrapper.write_text(WRAPPER.format(calls=self.calls, source=self.source))
        self.wrapper.chmod(0o755)

    def compile(self, *flags, exit=0, env=None):
        """Whether that took a compiler."""
        self.calls.write_text("")
        command = [self.wrapper, *flags, self.source, "-o", "a"]
        done = compiled.compile_with(command, self.dir, {**os.environ, **(env or {})})
        self.assertEqual(done.returncode, exit)
        if exit == 0:
            self.assertEqual((self.dir / "a").read_text(), self.source.read_text())
        return " -o a" in self.calls.read_text()

    def test_once(self):
        self.assertTrue(self.compile("-O1"))
        self.assertFalse(self.compile("-O1"))
        (self.dir / "a").write_text("changed by a test")
        self.assertFalse(self.compile("-O1"))

    def test_anew(self):
        self.assertTrue(self.compile("-O1"))
        self.assertTrue(self.compile("-O2"))
        self.assertTrue(self.compile("-O1", env={"HEDDLE_CXX": "clang++"}))
        self.header.write_text("// changed\n")
        self.assertTrue(self.compile("-O1"))
        self.source.write_text("int main() { return 1; }\n")
        self.assertTrue(self.compile("-O1"))
        self.wrapper.write_text(self.wrapper.read_text() + "# changed\n")
        self.assertTrue(self.compile("-O1"))

    def test_what_fails_or_warns_is_not_kept(self):
        for _ in range(2):
            self.assertTrue(self.compile("-Dbad", exit=1))
            self.assertTrue(self.compile("-Dsays"))

    def test_other_commands_are_run_as_they_stand(self):
        for _ in range(2):
            self.assertTrue(self.compile("-I."))
            self.assertTrue(self.compile("-c"))

    def test_prelude_only_for_the_usual_flags(self):
        self.source.write_text("#include <thread>\nint main() {}\n")
        self.assertTrue(self.compile("-std=c++20", "-O1", "-g"))
        self.assertIn("-include", self.calls.read_text())
        self.source.write_text("#define X\n#include <thread>\nint main() {}\n")
        self.assertTrue(self.compile("-std=c++20", "-O1", "-g"))
        self.assertNotIn("-include", self.calls.read_text())
        self.assertTrue(self.compile("-std=c++20", "-O1", "-g", "-DNDEBUG"))
        self.assertNotIn("-include", self.calls.read_text())


if __name__ == "__main__":
    unittest.main()

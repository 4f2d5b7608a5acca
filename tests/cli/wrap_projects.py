#!/usr/bin/env python3
"""The wrappers as CC and CXX of whole builds: make, CMake, and a configure script."""

import os
import sys
import unittest

for folder in ("", "wrap"):
    sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", folder))
import harness
import processes
from harness import PROJECTS, both_compilers

PROJECT = PROJECTS / "project"
OUTPUT = "value 6 calls 1\n"


class Projects(harness.WrapTest):
    def assert_built(self, directory, prog="prog", plugin="libplugin.so"):
        """Every part is instrumented and linked to the runtime, and the program runs."""
        directory = self.dir / directory
        for path in [directory / prog, directory / plugin]:
            self.assert_linked(path)
            self.assertIn("__tsan_func_entry", self.undefined(path))
        self.assertEqual(self.run_command(directory / prog).stdout, OUTPUT)

    @both_compilers
    def test_make(self):
        make = ["make", "-f", PROJECT / "Makefile", f"src={PROJECT}"]
        self.run_command(*make, "CC=heddle-cc", "CXX=heddle-c++", "-j2", "check")
        self.assert_built(".")
        self.assertIn("counter.h", (self.dir / "main.d").read_text())

    @both_compilers
    def test_cmake(self):
        self.cmake("ours", "heddle-cc", "heddle-c++")
        self.cmake("plain", self.toolchain.cc, self.toolchain.cxx, build=False)
        self.assertEqual(
            (self.dir / "ours" / "answers").read_text(), (self.dir / "plain" / "answers").read_text()
        )
        self.assert_built("ours")
        self.run_command("ctest", "--test-dir", "ours")
        self.run_command("cmake", "--install", "ours", "--prefix", self.dir / "installed")
        paths = {"LD_LIBRARY_PATH": str(self.dir / "installed" / "lib")}
        program = self.dir / "installed" / "bin" / "prog"
        self.assertEqual(self.run_command(program, env=paths).stdout, OUTPUT)

    @unittest.skipUnless(processes.ALL_SAMPLES, "./dev test --all")
    @both_compilers
    def test_cmake_with_make(self):
        self.cmake("ours", "heddle-cc", "heddle-c++", generator="Unix Makefiles")
        self.assert_built("ours")

    def cmake(self, directory, cc, cxx, generator="Ninja", build=True):
        self.run_command(
            "cmake",
            "-S", PROJECT,
            "-B", directory,
            "-G", generator,
            f"-DCMAKE_C_COMPILER={cc}",
            f"-DCMAKE_CXX_COMPILER={cxx}",
            "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
            "-DCMAKE_NINJA_FORCE_RESPONSE_FILE=ON",
        )
        if build:
            self.run_command("cmake", "--build", directory, "-j2")

    @both_compilers
    def test_configure(self):
        """A configure script gets the same answers from the wrapper as from the compiler."""
        answers = {}
        for name, cc, cxx in [
            ("ours", "heddle-cc", "heddle-c++"),
            ("plain", self.toolchain.cc, self.toolchain.cxx),
        ]:
            (self.dir / name).mkdir()
            result = self.run_command(
                PROJECT / "configure", cwd=self.dir / name, env={"CC": cc, "CXX": cxx}
            )
            answers[name] = result.stdout + (self.dir / name / "config.h").read_text()
        self.assertEqual(answers["ours"], answers["plain"])
        self.assertIn("#define HAVE_PTHREAD_CREATE 1", answers["ours"])
        self.assertNotIn("HAVE_NO_SUCH_FUNCTION", answers["ours"])
        self.run_command("make", "check", cwd=self.dir / "ours")
        self.assert_built("ours")


if __name__ == "__main__":
    harness.main()

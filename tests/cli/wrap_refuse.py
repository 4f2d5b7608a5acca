#!/usr/bin/env python3
"""What the wrappers refuse: exit code 2, what is wrong, and what to do about it."""

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "wrap"))
import harness
from harness import BIN, SAMPLE_MAIN, both_compilers


class Refuse(harness.WrapTest):
    def enter(self, toolchain):
        super().enter(toolchain)
        self.write("a.cc", SAMPLE_MAIN)

    def refused(self, *arguments, says, **how):
        result = self.cxx(*arguments, exit=2, **how)
        self.assertEqual(result.stdout, "")
        self.assertTrue(result.stderr.startswith("heddle-c++: "), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        for text in says:
            self.assertIn(text, result.stderr)
        self.assertFalse((self.dir / "prog").exists())

    @both_compilers
    def test_static_programs(self):
        for option in ["-static", "-static-pie", "--static"]:
            self.refused(option, "a.cc", "-o", "prog", says=[option, "link dynamically"])
        self.write("flags.rsp", "-O1 -static")
        self.refused("@flags.rsp", "a.cc", "-o", "prog", says=["-static:"])
        self.cxx("-static", "-c", "a.cc")

    @both_compilers
    def test_sanitizers(self):
        for name in ["address", "leak", "memory", "hwaddress"]:
            option = f"-fsanitize={name}"
            self.refused(option, "-c", "a.cc", says=[option, "without it"])
        self.refused("-fsanitize=undefined,address", "a.cc", says=["-fsanitize=address:"])
        self.cxx("-fsanitize=address", "-fno-sanitize=address", "-c", "a.cc")

    @both_compilers
    def test_other_machines(self):
        self.refused("-m32", "a.cc", says=["-m32", "64-bit"])
        self.refused("--target=aarch64-linux-gnu", "-c", "a.cc", says=["--target=aarch64"])
        self.refused("-c", "a.cc", says=["-m32"], env={"HEDDLE_CXX": f"{self.toolchain.cxx} -m32"})
        self.cxx("-m32", "-m64", "-c", "a.cc")
        self.cxx("-m32", "-dumpmachine")

    @both_compilers
    def test_no_such_compiler(self):
        for setting in ["no-such-compiler", "/no/such/compiler", "no-such-launcher g++"]:
            self.refused(
                "-c", "a.cc", says=["no-such" if "no-such" in setting else "/no/such", "HEDDLE_CXX"],
                env={"HEDDLE_CXX": setting},
            )
        result = self.cc("-c", "a.cc", exit=2, env={"HEDDLE_CC": "no-such-compiler"})
        self.assertIn("HEDDLE_CC", result.stderr)

    @both_compilers
    def test_a_wrapper_around_itself(self):
        for setting in ["heddle-c++", "heddle-cc -O1", str(BIN / "heddle-c++")]:
            self.refused("-c", "a.cc", says=["wrapper", "HEDDLE_CXX"], env={"HEDDLE_CXX": setting})
        (self.dir / "bin").mkdir()
        os.symlink(BIN / "heddle-c++", self.dir / "bin" / "g++")
        path = f"{self.dir / 'bin'}{os.pathsep}{self.environment['PATH']}"
        self.refused("-c", "a.cc", says=["g++"], env={"HEDDLE_CXX": "", "PATH": path})

    @both_compilers
    def test_an_incomplete_copy(self):
        (self.dir / "copy" / "bin").mkdir(parents=True)
        tool = self.dir / "copy" / "bin" / "heddle-c++"
        shutil.copy(BIN / "heddle-c++", tool)
        result = self.run_command(tool, "a.cc", "-o", "prog", exit=2)
        missing = "gcc.specs" if self.toolchain.name == "gcc" else "libheddle.so"
        self.assertIn(missing, result.stderr)
        self.assertIn("install it again", result.stderr)


if __name__ == "__main__":
    harness.main()

"""What the tests of the compiler wrappers share: see tests/cli/wrap_*.py.

Each test runs once for GCC and once for Clang, each time in an empty directory of its own.
"""

import functools
import os
import pathlib
import subprocess
import tempfile
import unittest
from dataclasses import dataclass

BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])
PREFIX = BIN.parent
SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE_DIR"])
PROJECTS = SOURCE / "tests" / "wrap"


@dataclass
class Toolchain:
    name: str
    cc: str
    cxx: str


TOOLCHAINS = [Toolchain("gcc", "gcc", "g++"), Toolchain("clang", "clang", "clang++")]

# A little of everything that is instrumented: an atomic, a volatile and a plain variable, a fence.
SAMPLE = """
#include <atomic>
std::atomic<int> atomic_value;
volatile int volatile_value;
int plain_value;
void touch() {
  atomic_value.fetch_add(1);
  volatile_value = 3;
  plain_value = volatile_value;
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
"""
SAMPLE_MAIN = SAMPLE + "int main() { touch(); return plain_value == 3 ? 42 : 1; }\n"
SAMPLE_HOOKS = {
    "__tsan_atomic32_fetch_add",
    "__tsan_atomic_thread_fence",
    "__tsan_volatile_read4",
    "__tsan_volatile_write4",
    "__tsan_write4",
    "__tsan_func_entry",
    "__tsan_func_exit",
}


def both_compilers(test):
    @functools.wraps(test)
    def run(self):
        for toolchain in TOOLCHAINS:
            with self.subTest(compiler=toolchain.name):
                self.enter(toolchain)
                test(self)

    return run


class WrapTest(unittest.TestCase):
    maxDiff = None

    def enter(self, toolchain):
        self.toolchain = toolchain
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix=toolchain.name + "-", dir=os.getcwd()))
        self.environment = dict(os.environ)
        self.environment["PATH"] = f"{BIN}{os.pathsep}{os.environ['PATH']}"
        self.environment["HEDDLE_CC"] = toolchain.cc
        self.environment["HEDDLE_CXX"] = toolchain.cxx

    def write(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_command(self, *command, exit=0, stdin="", cwd=None, env=None):
        """Runs it, checks the exit code (None: any), returns the completed process."""
        result = subprocess.run(
            [str(word) for word in command],
            cwd=cwd or self.dir,
            env={**self.environment, **(env or {})},
            input=stdin,
            capture_output=True,
            text=True,
        )
        if exit is not None:
            self.assertEqual(
                result.returncode, exit, f"{command}\n{result.stdout}\n{result.stderr}"
            )
        return result

    def cxx(self, *arguments, **how):
        return self.run_command(BIN / "heddle-c++", *arguments, **how)

    def cc(self, *arguments, **how):
        return self.run_command(BIN / "heddle-cc", *arguments, **how)

    def plain_cxx(self, *arguments, **how):
        return self.run_command(self.toolchain.cxx, *arguments, **how)

    def undefined(self, path):
        """The symbols an object file, program or library expects from elsewhere."""
        lines = self.run_command("nm", "-u", self.dir / path).stdout.splitlines()
        return {line.split()[-1].split("@")[0] for line in lines if line.strip()}

    def dynamic(self, path, tag):
        lines = self.run_command("readelf", "-dW", self.dir / path).stdout.splitlines()
        return [line.split("[")[1].rstrip("]") for line in lines if f"({tag})" in line]

    def assert_instrumented(self, path):
        self.assertLessEqual(SAMPLE_HOOKS, self.undefined(path))

    def assert_not_instrumented(self, path):
        self.assertFalse([s for s in self.undefined(path) if s.startswith("__tsan_")])

    def assert_linked(self, path):
        """Heddle's runtime comes before libc and libstdc++, and libtsan does not come at all."""
        needed = self.dynamic(path, "NEEDED")
        self.assertTrue(needed[0].startswith("libheddle.so"), needed)
        self.assertFalse([name for name in needed if "tsan" in name], needed)
        flags = self.run_command("readelf", "-dnW", self.dir / path).stdout
        self.assertIn("NOW", flags)
        self.assertIn("NT_GNU_BUILD_ID", flags)


def main():
    unittest.main()

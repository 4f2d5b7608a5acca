#!/usr/bin/env python3
"""Programs built with the wrappers and started plainly behave as those of the plain compiler."""

import os
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "wrap"))
import harness
from harness import PROJECTS, both_compilers


class Native(harness.WrapTest):
    def run_both(self, *arguments, exit, stdin=""):
        ours = self.run_command(self.dir / "ours", *arguments, exit=exit, stdin=stdin)
        plain = self.run_command(self.dir / "plain", *arguments, exit=exit, stdin=stdin)
        self.assertEqual((ours.stdout, ours.stderr), (plain.stdout, plain.stderr))

    def build_both(self, *arguments):
        self.cxx(*arguments, "-o", "ours")
        self.plain_cxx(*arguments, "-o", "plain")

    @both_compilers
    def test_everyday_program(self):
        for level in ["-O0", "-O2"]:
            self.build_both("-std=c++20", level, PROJECTS / "everyday.cc")
            self.run_both("an argument", "", exit=7, stdin="some words on\nstandard input\n")

    @both_compilers
    def test_ends(self):
        self.write(
            "a.cc",
            """
#include <cassert>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <thread>
int main(int, char** argv) {
  std::set_terminate([] { std::cerr << "terminate\\n"; std::_Exit(9); });
  std::atexit([] { std::cout << "at exit\\n"; });
  switch (argv[1][0]) {
    case 'r': return 3;
    case 'e': std::exit(4);
    case 'q': std::cout << "lost"; std::cout.flush(); std::quick_exit(5);
    case 't': throw std::runtime_error("uncaught");
    case 'u': std::thread([] { throw 1; }).join(); break;
    case 'a': assert(argv == nullptr); break;
    case 's': *static_cast<volatile int*>(nullptr) = 1; break;
  }
}
""",
        )
        self.build_both("-std=c++17", "a.cc")
        for argument, code in [("r", 3), ("e", 4), ("q", 5), ("t", 9), ("u", 9), ("s", -11)]:
            self.run_both(argument, exit=code)
        self.assertIn("Assertion", self.run_command("./ours", "a", exit=-6).stderr)

    @both_compilers
    def test_c_program(self):
        self.cc(PROJECTS / "warnings.c", "-o", "ours")
        self.run_command(self.toolchain.cc, PROJECTS / "warnings.c", "-o", "plain")
        self.run_both(exit=0)


if __name__ == "__main__":
    harness.main()

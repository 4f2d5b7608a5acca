#!/usr/bin/env python3
"""The wrappers hide no warning, pass errors on as they are, and have a single warning of their own: of objects that
others have compiled."""

import os
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "wrap"))
import harness
from harness import BIN, PROJECTS, both_compilers

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-pedantic-errors", "-Wshadow", "-Werror"]


class Warnings(harness.WrapTest):
    @both_compilers
    def test_clean_code_stays_clean(self):
        for level in ["-O0", "-O2", "-O3"]:
            result = self.cxx("-std=c++20", *STRICT, level, PROJECTS / "warnings.cc", "-o", "prog")
            self.assertEqual(result.stderr, "")
            self.run_command(self.dir / "prog")

    @both_compilers
    def test_clean_c_stays_clean(self):
        for standard in ["-std=c89", "-std=c11"]:
            result = self.cc(standard, *STRICT, "-O2", PROJECTS / "warnings.c", "-o", "prog")
            self.assertEqual(result.stderr, "")

    @both_compilers
    def test_every_kind_of_command_stays_quiet(self):
        self.write("a.cc", "int main() { return 0; }\n")
        for options in [
            ["-c"],
            ["-S"],
            ["-E"],
            ["-M"],
            ["-fsyntax-only"],
            ["-c", "-g", "-O2", "-fPIC"],
            ["-shared", "-fPIC"],
            ["-o", "prog"],
        ]:
            result = self.cxx(*STRICT, *options, "a.cc")
            self.assertEqual(result.stderr, "", options)
        self.cxx("-c", "a.cc")
        self.assertEqual(self.cxx(*STRICT, "a.o", "-o", "prog").stderr, "")

    @both_compilers
    def test_objects_of_another_build(self):
        """Nobody else would notice that they were not compiled anew."""
        self.write("a.cc", "int value();\nint main() { return value(); }\n")
        self.write("b.cc", "int shown = 3;\nint value() { return shown - 3; }\n")
        self.write("data.cc", "extern const int table[] = {1, 2, 3};\n")
        self.cxx("-c", "a.cc")
        self.plain_cxx("-c", "b.cc", "data.cc")
        said = self.cxx("a.o", "b.o", "data.o", "-o", "prog").stderr
        self.assertRegex(said, r"\Aheddle-c\+\+: warning: b\.o was compiled without heddle-c\+\+: .*\n\Z")
        self.run_command(self.dir / "prog")
        # A program of which nothing is instrumented is none to search.
        self.plain_cxx("-c", "a.cc")
        self.assertEqual(self.cxx("a.o", "b.o", "-o", "prog").stderr.count("\n"), 2)
        said = self.run_command(BIN / "heddle", "run", "./prog", exit=2).stderr
        self.assertIn("./prog was linked with heddle-c++, but nothing of it was compiled with that", said)
        self.cxx("-c", "b.cc")
        self.cxx("a.o", "b.o", "-o", "prog")
        self.run_command(BIN / "heddle", "run", "./prog")

    @both_compilers
    def test_warnings_are_the_same(self):
        self.write(
            "a.cc",
            "#include <cstdio>\n"
            "int f(int x) { int unused; if (x) return 1; }\n"
            'int main() { std::printf("%d\\n", "text"); }\n',
        )
        arguments = ["-Wall", "-Wextra", "-c", "a.cc"]
        ours, plain = self.cxx(*arguments), self.plain_cxx(*arguments)
        self.assertIn("unused", ours.stderr)
        self.assertEqual(ours.stderr, plain.stderr)

    @both_compilers
    def test_unused_arguments_of_the_user_are_still_reported(self):
        self.write("a.cc", "int main() { return 0; }\n")
        arguments = ["-c", "a.cc", "-lm", "-L."]
        self.assertEqual(self.cxx(*arguments).stderr, self.plain_cxx(*arguments).stderr)

    @both_compilers
    def test_errors_are_the_same(self):
        self.write("syntax.cc", "int main( { return 0; }\n")
        self.write("undefined.cc", "int missing(); int main() { return missing(); }\n")
        for arguments in [
            ["-c", "syntax.cc"],
            ["syntax.cc"],
            ["-c", "no-such-file.cc"],
            ["-c", "syntax.cc", "-o"],
            ["--no-such-option", "-c", "syntax.cc"],
            ["-c", "@no-such-file"],
        ]:
            ours, plain = self.cxx(*arguments, exit=None), self.plain_cxx(*arguments, exit=None)
            self.assertEqual(
                (ours.returncode, ours.stdout, ours.stderr),
                (plain.returncode, plain.stdout, plain.stderr),
                arguments,
            )
        self.assertIn("no-such-file.cc", self.cxx("no-such-file.cc", exit=1).stderr)
        result = self.cxx("undefined.cc", exit=1)
        self.assertIn("undefined reference to `missing()'", result.stderr)


if __name__ == "__main__":
    harness.main()

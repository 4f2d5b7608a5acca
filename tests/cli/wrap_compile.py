#!/usr/bin/env python3
"""heddle-cc and heddle-c++ where nothing is linked: what is instrumented, and what is left alone."""

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "wrap"))
import harness
from harness import BIN, SAMPLE, both_compilers


class Compile(harness.WrapTest):
    @both_compilers
    def test_objects_are_instrumented_at_every_level(self):
        self.write("a.cc", SAMPLE)
        for level in ["-O0", "-O1", "-O2", "-O3", "-Os", "-Og"]:
            self.cxx(level, "-c", "a.cc", "-o", "a.o")
            self.assert_instrumented("a.o")

    @both_compilers
    def test_c_is_instrumented(self):
        self.write("a.c", "int x; volatile int v; void f(void) { x = v; }\n")
        for standard in ["-std=c89", "-std=c99", "-std=gnu17"]:
            self.cc(standard, "-pedantic", "-Werror", "-c", "a.c")
            self.assertLessEqual(
                {"__tsan_write4", "__tsan_volatile_read4"}, self.undefined("a.o")
            )

    @both_compilers
    def test_assembly_output(self):
        self.write("a.cc", SAMPLE)
        self.cxx("-S", "a.cc")
        self.assertIn("__tsan_atomic32_fetch_add", (self.dir / "a.s").read_text())
        self.cxx("-c", "a.s")
        self.assert_instrumented("a.o")

    @both_compilers
    def test_assembly_input(self):
        self.write("plain.s", ".globl f\nf: ret\n.section .note.GNU-stack\n")
        self.write("macros.S", "#define F g\n.globl F\nF: ret\n.section .note.GNU-stack\n")
        result = self.cc("-Wall", "-Werror", "-c", "plain.s", "macros.S")
        self.assertEqual(result.stderr, "")

    @both_compilers
    def test_preprocessed_code_is_the_same_but_for_the_sanitizer_macro(self):
        self.write("a.cc", "#ifdef HAVE\nint have;\n#endif\nint x = __LINE__;\n")
        ours = self.cxx("-E", "-DHAVE", "a.cc").stdout
        self.assertEqual(ours, self.plain_cxx("-E", "-DHAVE", "a.cc").stdout)
        macros = self.cxx("-E", "-dM", "a.cc").stdout.splitlines()
        plain = self.plain_cxx("-E", "-dM", "a.cc").stdout.splitlines()
        self.assertLessEqual(set(macros) - set(plain), {"#define __SANITIZE_THREAD__ 1"})
        self.assertFalse(set(plain) - set(macros))

    @both_compilers
    def test_code_can_ask_for_the_sanitizer(self):
        self.write(
            "a.cc",
            """
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FOUND
#endif
#endif
#if !defined(FOUND) && !defined(__SANITIZE_THREAD__)
#error the code cannot know that it is instrumented
#endif
""",
        )
        self.cxx("-fsyntax-only", "a.cc")

    @both_compilers
    def test_preprocessed_input_is_instrumented(self):
        self.write("a.cc", SAMPLE)
        self.cxx("-E", "a.cc", "-o", "a.ii")
        self.cxx("-c", "a.ii")
        self.assert_instrumented("a.o")

    @both_compilers
    def test_standard_input(self):
        self.cxx("-x", "c++", "-", "-c", "-o", "a.o", stdin=SAMPLE)
        self.assert_instrumented("a.o")
        self.assertIn("int x = 7;", self.cxx("-E", "-xc++", "-", stdin="int x = 7;\n").stdout)

    @both_compilers
    def test_dependencies_are_the_same(self):
        self.write("a.h", "")
        self.write("a.cc", '#include "a.h"\n#include <cstddef>\n')
        for option in ["-M", "-MM"]:
            self.assertEqual(
                self.cxx(option, "a.cc").stdout, self.plain_cxx(option, "a.cc").stdout
            )
        for option in ["-MD", "-MMD"]:
            self.cxx("-c", option, "-MP", "-MT", "x y.o", "-MF", "ours.d", "a.cc")
            self.plain_cxx("-c", option, "-MP", "-MT", "x y.o", "-MF", "plain.d", "a.cc")
            self.assertEqual(
                (self.dir / "ours.d").read_text(), (self.dir / "plain.d").read_text()
            )
        self.cxx("-c", "-MD", "a.cc")
        self.assertTrue((self.dir / "a.d").exists())

    @both_compilers
    def test_intermediate_files_and_pipes(self):
        self.write("a.cc", SAMPLE)
        self.cxx("-save-temps", "-c", "a.cc")
        self.assert_instrumented("a.o")
        self.assertTrue((self.dir / "a.ii").exists())
        self.cxx("-pipe", "-c", "a.cc", "-o", "b.o")
        self.assert_instrumented("b.o")

    @both_compilers
    def test_precompiled_headers(self):
        self.write("all.h", "#pragma once\n#include <atomic>\ninline int from_header() { return 1; }\n")
        self.write("a.cc", SAMPLE + "int g() { return from_header(); }\n")
        ending = "gch" if self.toolchain.name == "gcc" else "pch"
        self.cxx("all.h", "-o", f"all.h.{ending}")
        self.assertTrue((self.dir / f"all.h.{ending}").exists())
        self.cxx("-Winvalid-pch", "-Werror", "-include", "all.h", "-c", "a.cc")
        self.assert_instrumented("a.o")

    @both_compilers
    def test_several_sources_and_names_with_spaces(self):
        self.write("sub dir/a b.cc", SAMPLE)
        self.write("c.cc", SAMPLE)
        self.cxx("-c", "sub dir/a b.cc", "c.cc")
        self.assert_instrumented("a b.o")
        self.assert_instrumented("c.o")

    @both_compilers
    def test_response_files(self):
        self.write("a b.cc", SAMPLE)
        self.write("inner.rsp", "-o 'out put.o'")
        self.write("outer.rsp", '-O1 -c "a b.cc"\n@inner.rsp\n')
        self.cxx("@outer.rsp")
        self.assert_instrumented("out put.o")

    @both_compilers
    def test_the_sanitizer_of_the_user_is_ours(self):
        self.write("a.cc", SAMPLE)
        self.write("flags.rsp", "-fsanitize=thread,undefined -O1")
        self.cxx("-fsanitize=thread", "-c", "a.cc")
        self.assert_instrumented("a.o")
        self.cxx("@flags.rsp", "-c", "a.cc", "-o", "b.o")
        self.assert_instrumented("b.o")

    @both_compilers
    def test_options_of_the_cmake_package_may_come_on_top(self):
        self.write("a.cc", SAMPLE)
        more = ["-fsanitize=thread", "-Wno-tsan", "--param=tsan-distinguish-volatile=1"]
        if self.toolchain.name == "clang":
            more = ["-fsanitize=thread", "-mllvm", "-tsan-distinguish-volatile=1"]
            more += ["-mllvm", "-capture-tracking-max-uses-to-explore=0"]
        self.cxx(*more, "-c", "a.cc")
        self.assert_instrumented("a.o")

    @both_compilers
    def test_a_file_can_be_left_alone(self):
        self.write("a.cc", SAMPLE)
        self.cxx("-fno-sanitize=thread", "-c", "a.cc")
        self.assert_not_instrumented("a.o")

    @both_compilers
    def test_relocatable_output(self):
        self.write("a.cc", SAMPLE)
        self.write("b.cc", "void touch(); void again() { touch(); }")
        self.cxx("-c", "a.cc", "b.cc")
        self.cxx("-r", "-nostdlib", "a.o", "b.o", "-o", "both.o")
        self.assert_instrumented("both.o")
        self.assertNotIn("touch", self.undefined("both.o"))

    @both_compilers
    def test_heddles_header_is_found_and_hides_no_other(self):
        self.write("a.cc", "#include <heddle/heddle.h>\n")
        self.cxx("-std=c++20", "-Wmissing-include-dirs", "-Werror", "-fsyntax-only", "a.cc")
        self.write("mine/heddle/heddle.h", "#error found mine\n")
        result = self.cxx("-std=c++20", "-isystem", "mine", "-fsyntax-only", "a.cc", exit=1)
        self.assertIn("found mine", result.stderr)

    @both_compilers
    def test_questions_to_the_compiler_are_passed_on(self):
        for question in [
            ["--version"],
            ["-dumpmachine"],
            ["-dumpversion"],
            ["-print-search-dirs"],
            ["-print-prog-name=ld"],
            ["-v"],
            ["--help"],
        ]:
            ours = self.cxx(*question)
            plain = self.plain_cxx(*question)
            self.assertEqual((ours.stdout, ours.stderr), (plain.stdout, plain.stderr), question)
        ours = self.cxx(exit=1)
        self.assertEqual(ours.stderr, self.plain_cxx(exit=1).stderr)

    @both_compilers
    def test_the_linker_can_be_asked(self):
        self.assertIn("ld", self.cxx("-Wl,--version").stdout)

    @both_compilers
    def test_print_shows_a_command_that_works(self):
        self.write("a b.cc", SAMPLE)
        line = self.cxx("--heddle-print", "-c", "a b.cc").stdout
        self.assertFalse((self.dir / "a b.o").exists())
        self.run_command("sh", "-c", line)
        self.assert_instrumented("a b.o")

    @both_compilers
    def test_the_compiler_may_have_a_launcher_and_arguments(self):
        self.write("a.cc", SAMPLE + "#ifndef GIVEN\n#error not given\n#endif\n")
        setting = f"env LANG=C {self.toolchain.cxx}  -DGIVEN -O1"
        self.cxx("-c", "a.cc", env={"HEDDLE_CXX": setting})
        self.assert_instrumented("a.o")

    @both_compilers
    def test_a_compiler_of_unknown_name_is_asked_what_it_is(self):
        self.write("a.cc", SAMPLE)
        compiler = self.write("my compiler/cplusplus", f'#!/bin/sh\nexec {self.toolchain.cxx} "$@"\n')
        compiler.chmod(0o755)
        path = f"{compiler.parent}{os.pathsep}{self.environment['PATH']}"
        self.cxx("-c", "a.cc", env={"HEDDLE_CXX": "cplusplus", "PATH": path})
        self.assert_instrumented("a.o")

    @both_compilers
    def test_ccache(self):
        if shutil.which("ccache") is None:
            self.skipTest("ccache is not installed")
        self.write("a.cc", SAMPLE)
        cache = {"CCACHE_DIR": str(self.dir / "cache")}
        inside = {**cache, "HEDDLE_CXX": f"ccache {self.toolchain.cxx}"}
        for _ in range(2):
            self.cxx("-c", "a.cc", "-o", "inside.o", env=inside)
            self.assert_instrumented("inside.o")
        statistics = self.run_command("ccache", "--print-stats", env=cache).stdout
        self.assertIn("direct_cache_hit\t1", statistics)
        # The plain compiler's object is another one.
        self.run_command("ccache", self.toolchain.cxx, "-c", "a.cc", "-o", "plain.o", env=cache)
        self.assert_not_instrumented("plain.o")
        for _ in range(2):
            self.run_command("ccache", BIN / "heddle-c++", "-c", "a.cc", "-o", "out.o", env=cache)
            self.assert_instrumented("out.o")


if __name__ == "__main__":
    harness.main()

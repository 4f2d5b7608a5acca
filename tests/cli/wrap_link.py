#!/usr/bin/env python3
"""heddle-cc and heddle-c++ where programs and libraries are linked: what they then depend on."""

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "wrap"))
import harness
from harness import PREFIX, SAMPLE, SAMPLE_MAIN, both_compilers

CALLER = "void touch();\nextern int plain_value;\nint main() { touch(); return plain_value + 39; }\n"


class Link(harness.WrapTest):
    def assert_program(self, path):
        """It is instrumented, has the runtime first, and runs by itself."""
        self.assert_instrumented(path)
        self.assert_linked(path)
        self.run_command(self.dir / path, exit=42)

    @both_compilers
    def test_one_step(self):
        self.write("a.cc", SAMPLE_MAIN)
        result = self.cxx("-Wall", "-Wextra", "-Werror", "a.cc", "-o", "prog")
        self.assertEqual(result.stderr, "")
        self.assert_program("prog")
        self.cxx("a.cc")
        self.assert_program("a.out")

    @both_compilers
    def test_several_sources(self):
        self.write("a b.cc", SAMPLE)
        self.write("main.cc", CALLER)
        self.cxx("a b.cc", "main.cc", "-o", "a program")
        self.assert_program("a program")

    @both_compilers
    def test_compile_then_link(self):
        self.write("a.cc", SAMPLE)
        self.write("main.cc", CALLER)
        self.cxx("-c", "a.cc", "main.cc")
        self.cxx("a.o", "main.o", "-o", "prog")
        self.assert_program("prog")

    @both_compilers
    def test_sources_objects_and_archives_mixed(self):
        self.write("a.cc", SAMPLE)
        self.write("main.cc", CALLER)
        self.cxx("-c", "a.cc")
        self.run_command("ar", "rcs", "liba.a", "a.o")
        self.cxx("main.cc", "a.o", "-o", "with_object")
        self.assert_program("with_object")
        self.cxx("main.cc", "-L.", "-la", "-o", "with_archive")
        self.assert_program("with_archive")

    @both_compilers
    def test_objects_of_the_plain_compiler_are_accepted(self):
        self.write("a.cc", SAMPLE)
        self.write("main.cc", CALLER)
        self.plain_cxx("-c", "main.cc")
        self.cxx("a.cc", "main.o", "-o", "prog")
        self.assert_program("prog")

    @both_compilers
    def test_standard_input(self):
        self.cxx("-x", "c++", "-", "-o", "prog", stdin=SAMPLE_MAIN)
        self.assert_program("prog")

    @both_compilers
    def test_response_files(self):
        self.write("a b.cc", SAMPLE)
        self.write("main.cc", CALLER)
        self.cxx("-c", "a b.cc", "main.cc")
        self.write("objects.rsp", "'a b.o'\nmain.o -fsanitize=thread -o")
        self.cxx("@objects.rsp", "prog")
        self.assert_program("prog")

    @both_compilers
    def test_linked_shared_library(self):
        self.write("a.cc", SAMPLE)
        self.write("main.cc", CALLER)
        self.cxx("-shared", "-fPIC", "-Wl,-z,defs", "a.cc", "-o", "liba.so")
        self.assert_instrumented("liba.so")
        self.assert_linked("liba.so")
        self.cxx("main.cc", "-L.", "-la", "-Wl,-rpath,$ORIGIN", "-o", "prog")
        self.assert_linked("prog")
        self.run_command(self.dir / "prog", exit=42)

    @both_compilers
    def test_loaded_shared_library(self):
        self.write("a.cc", SAMPLE.replace("void touch()", 'extern "C" int touch()').replace(
            "seq_cst);\n", "seq_cst);\n  return plain_value;\n"))
        self.write(
            "main.c",
            """
#include <dlfcn.h>
int main(void) {
  void* library = dlopen("./liba.so", RTLD_NOW);
  int (*touch)(void) = library ? (int (*)(void))dlsym(library, "touch") : 0;
  return touch ? touch() + 39 : 1;
}
""",
        )
        self.cxx("-shared", "-fPIC", "a.cc", "-o", "liba.so")
        self.cc("main.c", "-o", "prog")
        self.run_command(self.dir / "prog", exit=42)

    @both_compilers
    def test_link_time_optimisation(self):
        self.write("a.cc", SAMPLE)
        self.write("main.cc", CALLER)
        # The plain linker of Debian has no plugin for LLVM's bitcode.
        lto = ["-flto", "-O2"]
        if self.toolchain.name == "clang":
            if shutil.which("ld.lld") is None:
                self.skipTest("lld is not installed")
            lto.append("-fuse-ld=lld")
        self.cxx(*lto, "a.cc", "main.cc", "-o", "one_step")
        self.assert_program("one_step")
        self.cxx(*lto, "-c", "a.cc", "main.cc")
        self.cxx(*lto, "a.o", "main.o", "-o", "two_steps")
        self.assert_program("two_steps")

    @both_compilers
    def test_linkers(self):
        self.write("a.cc", SAMPLE_MAIN)
        for linker in ["bfd", "gold", "lld"]:
            if shutil.which(f"ld.{linker}"):
                self.cxx(f"-fuse-ld={linker}", "a.cc", "-o", f"with_{linker}")
                self.assert_program(f"with_{linker}")

    @both_compilers
    def test_options_that_change_the_link(self):
        self.write("a.cc", SAMPLE_MAIN)
        for options in [
            ["-pthread"],
            ["-no-pie"],
            ["-Wl,--as-needed", "-lm"],
            ["-Wl,-z,lazy"],
            ["-Wl,--no-undefined"],
            ["-static-libgcc", "-static-libstdc++"],
            ["-Wl,-Bstatic", "-lstdc++", "-Wl,-Bdynamic"],
            ["-fsanitize=thread"],
            ["-fsanitize=undefined"],
            ["-O2", "-g", "-march=native", "-save-temps"],
            ["--coverage"],
        ]:
            with self.subTest(options=options):
                self.cxx("a.cc", "-o", "prog", *options)
                self.assert_program("prog")

    @both_compilers
    def test_without_the_standard_libraries_the_runtime_is_still_there(self):
        self.write("a.cc", SAMPLE)
        self.cxx("-c", "-fPIC", "a.cc")
        self.cxx("-shared", "-nostdlib", "a.o", "-Wl,-z,defs", "-o", "liba.so")
        self.assert_instrumented("liba.so")
        self.assert_linked("liba.so")

    @both_compilers
    def test_library_and_run_paths_of_the_user_come_first(self):
        self.write("a.cc", SAMPLE_MAIN)
        self.cxx("a.cc", "-Wl,-rpath,/first:/second", "-o", "prog")
        self.assertEqual(self.dynamic("prog", "RUNPATH"), [f"/first:/second:{PREFIX / 'lib'}"])
        self.assertNotIn(f"-L{PREFIX}", self.cxx("-###", "a.cc").stderr)

    @both_compilers
    def test_the_engine_is_linked_only_where_it_is_used(self):
        if not (PREFIX / "lib" / "libheddle-engine.so").exists():
            self.skipTest("there is no engine library")
        self.write("unused.cc", SAMPLE_MAIN)
        self.cxx("unused.cc", "-o", "unused")
        self.assertFalse([n for n in self.dynamic("unused", "NEEDED") if "engine" in n])
        self.write(
            "used.cc",
            "#include <heddle/heddle.h>\n"
            "int main() { return heddle::check([] {}).ok() ? 0 : 1; }\n",
        )
        self.cxx("-std=c++20", "-Wl,-Bstatic", "used.cc", "-Wl,-Bdynamic", "-o", "used")
        self.assert_linked("used")
        self.assertTrue([n for n in self.dynamic("used", "NEEDED") if "engine" in n])

    @both_compilers
    def test_the_compiler_shows_what_it_would_do(self):
        self.write("a.cc", SAMPLE_MAIN)
        result = self.cxx("-###", "a.cc", "-o", "prog")
        self.assertIn("libheddle.so", result.stderr)
        self.assertNotIn("tsan_preinit", result.stderr)
        self.assertFalse((self.dir / "prog").exists())

    @both_compilers
    def test_a_copy_in_a_directory_with_odd_characters(self):
        self.write("a.cc", SAMPLE_MAIN)
        prefix = self.dir / "my copy, moved"
        (prefix / "bin").mkdir(parents=True)
        shutil.copy(harness.BIN / "heddle-cc", prefix / "bin" / "heddle-cc")
        os.symlink("heddle-cc", prefix / "bin" / "heddle-c++")
        os.symlink(PREFIX / "lib", prefix / "lib")
        os.symlink(PREFIX / "include", prefix / "include")
        # By a link from elsewhere: its name decides the compiler, its target the installation.
        os.symlink(prefix / "bin" / "heddle-cc", self.dir / "heddle-c++")
        options = ["-flto"] if self.toolchain.name == "gcc" else []
        self.run_command(self.dir / "heddle-c++", "-O1", *options, "a.cc", "-o", "prog")
        self.assert_program("prog")
        self.assertEqual(self.dynamic("prog", "RUNPATH"), [str(prefix / "lib")])


if __name__ == "__main__":
    harness.main()

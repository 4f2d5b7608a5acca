#!/usr/bin/env python3
"""Programs that cannot be put under control: exit code 2, and what to do about it."""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import BIN, built

EMPTY = "int main(void) { return 0; }\n"

BEFORE_MAIN = """
#include <thread>
static void idle() {}
struct Early {
  std::thread thread{idle};
  ~Early() { if (thread.joinable()) thread.join(); }
} early;
int main() {}
"""


class BadProgram(harness.CommandTest):
    def refused(self, *words, says, **how):
        ran = self.heddle("run", *words, exit=2, **how)
        self.assertEqual(ran.out, "", ran)
        self.assertTrue(ran.err.startswith("heddle: "), ran)
        self.assertEqual(ran.err.count("\n"), 1, ran)
        self.assertNotIn("Heddle's own", ran.err)
        for text in says:
            self.assertIn(text, ran.err, ran)
        ran = self.heddle("run", "--quiet", *words, exit=2, **how)  # also where little is told
        self.assertNotEqual(ran.err, "")

    def compile(self, compiler, source, *flags, name="prog", suffix=".c"):
        (self.dir / f"{name}{suffix}").write_text(source)
        command = [compiler, f"{name}{suffix}", *flags, "-o", name]
        subprocess.run(command, cwd=self.dir, check=True)

    def test_none(self):
        self.refused("./prog", says=["there is no program ./prog"])
        self.refused("no/such/prog", says=["there is no program no/such/prog"])
        self.refused("no-such-prog", says=["no program 'no-such-prog'"])
        shutil.copy(built("updates.c"), self.dir / "prog")
        self.refused("prog", says=["type ./prog"])
        self.heddle("run", "prog", env={"PATH": str(self.dir)}, exit=0)  # found there, it is run

    def test_limits(self):
        """The one that is too low has its name, before anything is run."""
        program = built("updates.c")
        few = "ulimit -n 1024, or give fewer --jobs"
        for limit, jobs, *says in [
            ("-n 6", 1, "no more than 6 files may be open (RLIMIT_NOFILE)", "type: ulimit -n 1024"),
            ("-n 24", 16, "no more than 24 files may be open (RLIMIT_NOFILE)", few),
            ("-v 1000000", 1, "limited to 1000000 KB (RLIMIT_AS)", "type: ulimit -v unlimited"),
            ("-s 64", 1, "limited to 64 KB (RLIMIT_STACK)", "type: ulimit -s 8192"),
        ]:
            command = f'ulimit {limit}; exec "$0" "$@"'
            search = ["bash", "-c", command, *self.command("run", "--jobs", jobs, program, "2", "1", "split")]
            ran = subprocess.run(search, cwd=self.dir, capture_output=True, text=True, timeout=300)
            self.assertEqual((ran.returncode, ran.stdout), (2, ""), ran)
            for text in says:
                self.assertIn(text, ran.stderr)
        # What is asked for is enough.
        for limit in ("-n 17", "-s 512"):
            command = f'ulimit {limit}; exec "$0" "$@"'
            search = ["bash", "-c", command, *self.command("run", program, "2", "1", "split")]
            ran = subprocess.run(search, cwd=self.dir, capture_output=True, text=True, timeout=300)
            self.assertEqual(ran.returncode, 1, ran)
            self.assertNotIn("note:", ran.stdout)

    def test_mounts(self):
        """No /proc, and a program where none may be run."""
        alone = ["unshare", "-Urm", "bash", "-c"]
        if subprocess.run([*alone, "mount -t tmpfs none /proc"], capture_output=True).returncode != 0:
            self.skipTest("no mounts of one's own here")
        program = built("updates.c")
        (self.dir / "there").mkdir()
        for before, path, says in [
            ("mount -t tmpfs none /proc", program, "there is no /proc"),
            (f"mount -t tmpfs -o noexec none there; cp {program} there/prog", "there/prog", "mounted noexec"),
        ]:
            search = [*alone, f'{before}; exec "$0" "$@"', *self.command("run", path, "2", "1", "split")]
            ran = subprocess.run(search, cwd=self.dir, capture_output=True, text=True, timeout=300)
            self.assertEqual((ran.returncode, ran.stdout), (2, ""), ran)
            self.assertIn(says, ran.stderr)

    def test_dangling_link(self):
        os.symlink("nowhere", self.dir / "prog")
        self.refused("./prog", says=["./prog"])

    def test_directory(self):
        (self.dir / "prog").mkdir()
        self.refused("./prog", says=["./prog is a directory"])
        self.refused("/", says=["/ is a directory"])

    def test_not_executable(self):
        shutil.copy(built("updates.c"), self.dir / "prog")
        os.chmod(self.dir / "prog", 0o644)
        self.refused("./prog", says=["./prog is not executable", "type: chmod +x ./prog"])

    def test_scripts(self):
        for text in ["#!/bin/sh\nexec ./real\n", "no first line\n", ""]:
            (self.dir / "prog").write_text(text)
            os.chmod(self.dir / "prog", 0o755)
            self.refused("./prog", says=["./prog is not a compiled program", "script"])

    def test_damaged(self):
        """ELF files that end early, or hold nonsense: refused, whatever is left of them."""
        whole = built("updates.c").read_bytes()
        for size in [4, 16, 63, 64, 100, 1000, len(whole) // 2]:
            (self.dir / "prog").write_bytes(whole[:size])
            os.chmod(self.dir / "prog", 0o755)
            ran = self.heddle("run", "./prog", exit=2)
            self.assertIn("./prog", ran.err)
        (self.dir / "prog").write_bytes(whole[:64] + b"\xa5" * (len(whole) - 64))
        self.heddle("run", "./prog", exit=2)

    def test_plainly_built(self):
        self.compile("gcc", EMPTY)
        self.refused("./prog", says=["./prog was not built with heddle-c++", "heddle-c++ -O1 -g"])
        self.refused("/bin/true", says=["/bin/true was not built with heddle-c++"])

    def test_statically_linked(self):
        self.compile("gcc", EMPTY, "-static")
        says = ["./prog is statically linked", "rebuild it without -static"]
        self.refused("./prog", says=says)
        self.compile("gcc", EMPTY, "-static-pie", name="pie")
        self.refused("./pie", says=["./pie is statically linked"])

    def test_other_machines(self):
        whole = bytearray(built("updates.c").read_bytes())
        whole[18:20] = (183).to_bytes(2, "little")  # AArch64
        (self.dir / "prog").write_bytes(whole)
        os.chmod(self.dir / "prog", 0o755)
        self.heddle("run", "./prog", exit=2)

    def test_library(self):
        self.compile(BIN / "heddle-cc", "int f(void) { return 0; }\n", "-shared", "-fPIC", name="lib")
        self.heddle("run", "./lib", exit=2)

    def test_threads_before_control(self):
        self.compile(BIN / "heddle-c++", BEFORE_MAIN, "-std=c++20", "-O1", "-g", suffix=".cc")
        subprocess.run(["./prog"], cwd=self.dir, check=True)  # natively it is fine
        self.refused("./prog", says=["./prog: ", "before main"])

    def test_ends_before_main(self):
        source = "#include <stdlib.h>\n__attribute__((constructor)) void early(void) { %s; }\n" + EMPTY
        for statement, how in [("exit(3)", "status 3"), ("abort()", "SIGABRT"), ("_Exit(0)", "status 0")]:
            self.compile(BIN / "heddle-cc", source % statement)
            self.refused("./prog", says=["./prog: ", how, "before heddle could control it"])

    def test_other_version(self):
        """Of engine and runtime. The number of the status, and where the version stands, are the same in all."""
        self.compile(BIN / "heddle-cc", EMPTY)
        with open(self.dir / "region", "w+b") as region:
            region.write((b"\0heddle\0" + (10000).to_bytes(4, "little")).ljust(1 << 20, b"\0"))
            region.flush()
            ran = subprocess.run(["./prog"], cwd=self.dir, pass_fds=[region.fileno()],
                                 env={**os.environ, "HEDDLE_WORKER_FD": str(region.fileno())})
        self.assertEqual(ran.returncode, 98)
        early = "#include <unistd.h>\n__attribute__((constructor)) void early(void) { _exit(98); }\n"
        self.compile(BIN / "heddle-cc", early + EMPTY)
        self.refused("./prog", says=["./prog: ", "another version", "build it again"])

    def test_missing_library(self):
        """The dynamic linker's own words are not ours to repeat, but ours follow them."""
        self.compile(BIN / "heddle-cc", "int f(void) { return 0; }\n", "-shared", "-fPIC", name="libf.so")
        source = "int f(void);\nint main(void) { return f(); }\n"
        self.compile(BIN / "heddle-cc", source, "-L.", "-l:libf.so")
        ran = self.heddle("run", "./prog", exit=2)
        self.assertIn("./prog", ran.err)
        self.assertIn("before heddle could control it", ran.err)
        self.assertIn("libf.so", ran.err)


if __name__ == "__main__":
    harness.main()

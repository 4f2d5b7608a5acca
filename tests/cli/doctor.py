#!/usr/bin/env python3
"""heddle doctor: what it finds here, and where something is missing."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

HEDDLE = str(pathlib.Path(os.environ["HEDDLE_BIN_DIR"]) / "heddle")
CHECKS = ["kernel", "processor", "addresses", "shared memory", "address space", "stack", "open files",
          "temporary files", "debugger", "installation", "GCC", "Clang"]  # fmt: skip

POOR = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/auxv.h>
int personality(unsigned long persona) { errno = EPERM; return -1; }
unsigned long getauxval(unsigned long type) {
  unsigned long (*real)(unsigned long) = (unsigned long (*)(unsigned long))dlsym(RTLD_NEXT, "getauxval");
  return type == AT_HWCAP2 ? 0 : real(type);
}
#ifdef NO_MEMFD
int memfd_create(const char* name, unsigned flags) { errno = EPERM; return -1; }
#endif
"""


class Doctor(unittest.TestCase):
    def doctor(self, *words, before="", **variables):
        """Exit code, output and findings by name."""
        command = f'{before} exec {HEDDLE} doctor --json findings.json {" ".join(words)}'
        result = subprocess.run(
            ["/bin/bash", "-c", command], env=dict(os.environ, **variables), stdin=subprocess.DEVNULL,
            capture_output=True, text=True,
        )
        report = json.loads(pathlib.Path("findings.json").read_text())
        findings = {check["name"]: check for check in report["checks"]}
        self.assertEqual(list(findings), CHECKS)
        for grade, count in [("problem", report["problems"]), ("warning", report["warnings"])]:
            self.assertEqual(count, sum(check["grade"] == grade for check in findings.values()))
        for check in findings.values():
            self.assertEqual(check["advice"] == "", check["grade"] == "ok", check)
        self.assertEqual(result.returncode, 2 if report["problems"] else 0, result.stdout)
        return result, findings

    def test_here(self):
        result, findings = self.doctor()
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("\nHeddle can work here", result.stdout)
        for name in ("kernel", "shared memory", "address space", "installation", "GCC", "Clang"):
            self.assertEqual(findings[name]["grade"], "ok", findings[name])
        self.assertIn("found the bug of a small test", findings["GCC"]["found"])

    def test_limits(self):
        result, findings = self.doctor(before="ulimit -v 30000000;")
        self.assertEqual(findings["address space"]["grade"], "problem")
        self.assertIn("ulimit -v unlimited", findings["address space"]["advice"])
        self.assertEqual(findings["GCC"]["grade"], "problem")
        self.assertIn("Heddle cannot work here yet: 2 problems" if findings["Clang"]["grade"] == "warning"
                      else "Heddle cannot work here yet: 3 problems", result.stdout)  # fmt: skip
        _, findings = self.doctor(before="ulimit -n 64;")
        self.assertEqual(findings["open files"]["grade"], "warning")
        self.assertIn("ulimit -n 256", findings["open files"]["advice"])

    def test_nothing_on_the_path(self):
        pathlib.Path("empty").mkdir(exist_ok=True)
        result, findings = self.doctor(PATH="empty")
        self.assertEqual(findings["GCC"]["grade"], "problem")
        self.assertEqual(findings["Clang"]["grade"], "warning")
        self.assertIn("apt-get install g++", result.stdout)
        self.assertIn("apt-get install gdb", findings["debugger"]["advice"])

    def test_a_poorer_machine(self):
        """No fsgsbase, and a sandbox that forbids personality; then one that forbids memfd_create, too."""
        pathlib.Path("poor.c").write_text(POOR)
        for defined, library in [("", "poor.so"), ("-DNO_MEMFD", "poorer.so")]:
            subprocess.run(f"gcc -shared -fPIC {defined} poor.c -o {library} -ldl", shell=True, check=True)
        result, findings = self.doctor(LD_PRELOAD=str(pathlib.Path("poor.so").resolve()))
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("\nHeddle can work here; 2 warnings\n", result.stdout)
        self.assertEqual(findings["processor"]["grade"], "warning")
        self.assertIn("seccomp", findings["addresses"]["advice"])
        result, findings = self.doctor(LD_PRELOAD=str(pathlib.Path("poorer.so").resolve()))
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertEqual(findings["shared memory"]["found"], "memfd_create: Operation not permitted")

    def test_half_an_installation(self):
        prefix = pathlib.Path(HEDDLE).parent.parent
        shutil.copytree(prefix / "bin", "half/bin", symlinks=True, ignore=lambda _, names: [n for n in names if n != "heddle"])
        result = subprocess.run(["half/bin/heddle", "doctor"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("without bin/heddle-cc, bin/heddle-c++, lib/libheddle.so", " ".join(result.stdout.split()))

    def test_leaves_nothing(self):
        pathlib.Path("scratch").mkdir()
        self.doctor("--quiet", TMPDIR=str(pathlib.Path("scratch").resolve()))
        self.assertEqual(list(pathlib.Path("scratch").iterdir()), [])

    def test_usage(self):
        result = subprocess.run([HEDDLE, "doctor", "./test"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("heddle run ./test", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])

#!/usr/bin/env python3
"""heddle replay says so when the program is not what it was, and finds it where it is now."""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import BIN

PROGRAM = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int counter;
static void* work(void* unused) {
  int seen = atomic_load(&counter);
  atomic_store(&counter, seen + STEP);
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, work, 0);
  work(0);
  pthread_join(other, 0);
  return atomic_load(&counter) == 2 * STEP ? 0 : 1;
}
"""


class Changed(harness.CommandTest):
    def setUp(self):
        super().setUp()
        self.build(PROGRAM)
        self.heddle("run", "./test", exit=1)
        self.schedule = self.dir / "heddle-out" / "test-1.heddle"

    def build(self, source, name="test", step=1):
        (self.dir / "test.c").write_text(source)
        command = [BIN / "heddle-cc", "-O1", "-g", f"-DSTEP={step}", "test.c", "-o", name]
        subprocess.run(command, cwd=self.dir, check=True)

    def test_unchanged(self):
        ran = self.heddle("replay", self.schedule, exit=1)
        self.assertNotIn("has changed", ran.out)
        self.build(PROGRAM)  # the same source gives the same program
        self.assertNotIn("has changed", self.heddle("replay", self.schedule, exit=1).out)

    def test_another_constant(self):
        self.build(PROGRAM, step=7)
        ran = self.heddle("replay", self.schedule, exit=1)  # the same decisions lead to it
        self.assertIn(f"note: {self.dir}/test has changed since this schedule was made", ran.out)
        ran = self.heddle("replay", "--json", "-", self.schedule, exit=1)
        self.assertIn("has changed", ran.json["notes"][0])

    def test_another_line(self):
        """One more operation: the schedule leads elsewhere, which is no wonder and no error."""
        changed = PROGRAM.replace("return unused", "atomic_fetch_add(&counter, 0); return unused")
        self.build(changed.replace("int main(void) {", "int main(void) {\n  atomic_load(&counter);"))
        ran = self.heddle("replay", self.schedule)
        self.assertIn("has changed since this schedule was made", ran.out)
        self.assertIn("does not fit the changed program", ran.out)
        self.assertNotIn("NOT REPEATABLE", ran.out)
        self.assertIn(ran.exit, (0, 1))

    def test_repaired(self):
        self.build(PROGRAM.replace("== 2 * STEP", "> 0"))
        ran = self.heddle("replay", self.schedule, exit=0)
        self.assertIn("has changed", ran.out)
        self.assertIn("no failure: the schedule ended without one", ran.out)

    def test_gone(self):
        os.rename(self.dir / "test", self.dir / "moved")
        ran = self.heddle("replay", "heddle-out/test-1.heddle", exit=2)
        self.assertEqual(ran.out, "")
        typed = "heddle replay --program PATH heddle-out/test-1.heddle"
        self.assertIn(f"{self.dir}/test is gone; if it is elsewhere now, type: {typed}", ran.err)
        ran = self.heddle("replay", "--program", "./moved", self.schedule, exit=1)
        self.assertNotIn("has changed", ran.out)
        ran = self.heddle("replay", "--program", "./no-such", self.schedule, exit=2)
        self.assertIn("there is no program ./no-such", ran.err)

    def test_program_given_from_elsewhere(self):
        elsewhere = self.dir / "elsewhere"
        elsewhere.mkdir()
        shutil.move(self.dir / "test", elsewhere / "test")
        for name in ["./test", elsewhere / "test"]:
            self.heddle("replay", "--program", name, self.schedule, cwd=elsewhere, exit=1)

    def test_directory_gone(self):
        place = self.dir / "place"
        place.mkdir()
        self.heddle("run", "--out", self.dir / "kept", "../test", cwd=place, exit=1)
        place.rmdir()
        ran = self.heddle("replay", self.dir / "kept" / "test-1.heddle", exit=2)
        self.assertIn(f"the directory {place} in which the program ran is gone", ran.err)

    def test_runs_where_it_ran(self):
        """A relative path that the program opens leads to the same file."""
        source = PROGRAM.replace("int main(void) {", "#include <unistd.h>\nint main(void) {")
        source = source.replace("pthread_t other;", 'if (access("here", F_OK)) return 0;\npthread_t other;')
        self.build(source)
        (self.dir / "here").touch()
        self.heddle("run", "./test", exit=1)
        elsewhere = self.dir / "elsewhere"
        elsewhere.mkdir()
        ran = self.heddle("replay", "--times", "100", self.schedule, cwd=elsewhere, exit=1)
        self.assertIn("reproduced 100 times", ran.out)

    def test_arguments(self):
        source = PROGRAM.replace("(void)", "(int argc, char** argv)", 1).replace(
            "pthread_t other;", "if (argc != 4 || argv[1][0] || argv[2][1] != '\\n') return 0;\npthread_t other;"
        )
        self.build(source)
        self.heddle("run", "./test", "", 'a\nb"c\\', "--json", exit=1)
        self.heddle("replay", "--times", "100", self.schedule, exit=1)


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""What the program prints: swallowed during the search, shown for the failing execution, or let through."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import BIN, built

TALKING = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
static atomic_int counter;
static void* work(void* name) {
  int seen = atomic_load(&counter);
  printf("%s saw %d\\n", (const char*)name, seen);
  atomic_store(&counter, seen + 1);
  return NULL;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, "other");
  work("main");
  pthread_join(other, NULL);
  fprintf(stderr, "to standard error\\n");
  (void)!write(1, "unbuffered\\n", 11);
  printf("no newline at the end");
  return atomic_load(&counter) == 2 ? 0 : 1;
}
"""


class Output(harness.CommandTest):
    def setUp(self):
        super().setUp()
        (self.dir / "talking.c").write_text(TALKING)
        command = [BIN / "heddle-cc", "-O1", "-g", "talking.c", "-o", "talking"]
        subprocess.run(command, cwd=self.dir, check=True)

    def test_swallowed(self):
        ran = self.heddle("run", "--executions", "100", built("updates.c"), exit=0)
        self.assertNotIn("counter", ran.out + ran.err)

    def test_shown_for_the_failure(self):
        ran = self.heddle("run", "./talking", exit=1)
        self.assertEqual(ran.err, "")
        for line in ["other saw 0", "main saw 0", "to standard error", "unbuffered"]:
            self.assertEqual(ran.out.count(line), 1, ran)
        self.assertIn("no newline at the end", ran.out)

    def test_shown_by_replay(self):
        self.heddle("run", "./talking", exit=1)
        for times in ["1", "50"]:
            ran = self.heddle("replay", "--times", times, "heddle-out/talking-1.heddle", exit=1)
            self.assertEqual(ran.out.count("other saw 0"), 1, ran)

    def test_let_through(self):
        ran = self.heddle("run", "--show-output", "--keep-going", "--strategy", "dfs", "./talking", exit=1)
        report = self.search("--keep-going", "--strategy", "dfs", "./talking", exit=1)
        # Each execution, and not the runs by which the failure is looked at and explained; the report has it once more.
        count = report["executions"]
        self.assertEqual(ran.err.count("to standard error\n"), count, ran)
        self.assertEqual(ran.out.count("unbuffered\n"), count + 1, ran)
        self.assertEqual(ran.out.count("no newline at the end"), count + 1, ran)

    def test_standard_input_is_empty(self):
        source = '#include <stdio.h>\nint main(void) { return getchar() == EOF ? 0 : 1; }\n'
        (self.dir / "reads.c").write_text(source)
        subprocess.run([BIN / "heddle-cc", "reads.c", "-o", "reads"], cwd=self.dir, check=True)
        ours = subprocess.run(
            self.command("run", "./reads"), cwd=self.dir, input=b"text", capture_output=True
        )
        self.assertEqual(ours.returncode, 0, ours)

    def test_quiet(self):
        ran = self.heddle("run", "--quiet", "./talking", exit=1)
        self.assertEqual((ran.out, ran.err), ("", ""))
        ran = self.heddle("replay", "--quiet", "heddle-out/talking-1.heddle", exit=1)
        self.assertEqual((ran.out, ran.err), ("", ""))

    def test_text_that_is_no_text(self):
        """Bytes that are not UTF-8 and control characters do not spoil report or JSON."""
        source = TALKING.replace("unbuffered", "\\x80\\xff\\x1b[31m\\a").replace("11)", "9)")
        (self.dir / "talking.c").write_text(source)
        command = [BIN / "heddle-cc", "-O1", "-g", "talking.c", "-o", "talking"]
        subprocess.run(command, cwd=self.dir, check=True)
        report = self.search("./talking", exit=1)
        self.assertEqual(report["verdict"], "failed")
        ran = self.heddle("run", "./talking", exit=1)
        self.assertNotIn("\x1b", ran.out)


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""Schedule files that are not as heddle wrote them: exit code 2, where the fault is, and what to do."""

import os
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import built

PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489")


class BadSchedule(harness.CommandTest):
    def setUp(self):
        super().setUp()
        self.program = built("updates.c")
        self.heddle("run", self.program, "2", "2", "split", exit=1)
        self.good = self.dir / "heddle-out" / "updates-1.heddle"
        self.text = self.good.read_text()
        self.bad = self.dir / "bad.heddle"

    def refused(self, content, says=()):
        self.bad.write_bytes(content if isinstance(content, bytes) else content.encode())
        ran = self.heddle("replay", "bad.heddle", exit=2)
        self.assertEqual(ran.out, "", ran)
        self.assertTrue(ran.err.startswith("heddle: "), ran)
        self.assertEqual(ran.err.count("\n"), 1, ran)
        self.assertNotIn("Heddle's own", ran.err)
        for text in ("bad.heddle", *says):
            self.assertIn(text, ran.err, ran)

    def test_good(self):
        self.bad.write_text(self.text)
        self.heddle("replay", "bad.heddle", exit=1)
        self.bad.write_text(self.text.replace("\n", "\r\n"))  # through another system's editor
        self.heddle("replay", "bad.heddle", exit=1)
        self.bad.write_text("".join(f"{line}\n# a comment\n\n" for line in self.text.splitlines()))
        self.heddle("replay", "bad.heddle", exit=1)

    def test_none(self):
        ran = self.heddle("replay", "no-such.heddle", exit=2)
        self.assertIn("no-such.heddle: there is no such file", ran.err)
        ran = self.heddle("replay", self.dir, exit=2)
        self.assertIn(str(self.dir), ran.err)

    def test_foreign(self):
        says = ["this is not a schedule of heddle's", "heddle-out/*.heddle"]
        for content in [b"", b"\n", PNG, self.program.read_bytes(), b"{}", b"heddle\n", b"\0" * 4096]:
            self.refused(content, says=says)
        ran = self.heddle("replay", "/dev/null", exit=2)
        self.assertIn("/dev/null", ran.err)

    def test_truncated(self):
        """At every byte: there is no place where a cut goes unnoticed."""
        for size in range(0, len(self.text.encode()), 7):
            self.refused(self.text.encode()[:size])
        lines = self.text.splitlines(keepends=True)
        for count in range(1, len(lines)):
            self.refused("".join(lines[:count]), says=["cut off", "heddle run"])
        self.refused(self.text[:-1])

    def test_changed(self):
        """Each significant line in turn is damaged, doubled, or taken away."""
        lines = self.text.splitlines(keepends=True)
        for number, line in enumerate(lines):
            if line.startswith("#") or not line.strip():
                continue
            for damage in ["", line * 2, line.replace("\n", "x\n"), "?" + line, line.upper()]:
                if damage != line:
                    with self.subTest(line=line, damage=damage):
                        self.refused("".join(lines[:number] + [damage] + lines[number + 1 :]))

    def test_binary_garbage_inside(self):
        lines = self.text.encode().splitlines(keepends=True)
        for number, line in enumerate(lines):
            if not line.startswith(b"#"):
                damaged = line[:-2] + b"\xff\x00\x80\n"
                self.refused(b"".join(lines[:number] + [damaged] + lines[number + 1 :]))

    def test_newer_version(self):
        self.assertTrue(self.text.startswith("heddle schedule 1\n"), self.text)
        for version in ["2", "10", "999999"]:
            says = [f"version {version}", "this heddle", "replay it with the heddle that wrote it"]
            self.refused(self.text.replace("schedule 1", f"schedule {version}", 1), says=says)
        self.refused(self.text.replace("schedule 1", "schedule 0", 1))
        self.refused(self.text.replace("schedule 1", "schedule one", 1))

    def test_unreadable(self):
        os.chmod(self.good, 0)
        if os.access(self.good, os.R_OK):
            self.skipTest("root reads everything")
        self.assertIn("Permission denied", self.heddle("replay", self.good, exit=2).err)


    def with_checksum(self, text):
        """As anybody could write it: the last line says that the checksum does not count."""
        return "".join(f"{line}\n" for line in text.splitlines()[:-1]) + "end unchecked\n"

    def test_options_that_a_schedule_cannot_set(self):
        for name, value in [("json", "/tmp/heddle-stolen"), ("program", "/bin/sh"), ("out", "/tmp"), ("gdb", "true"),
                            ("trust", "true"), ("times", "9"), ("list-executions", "/tmp/heddle-stolen")]:
            text = self.text.replace("failure ", f"option {name} {value}\nfailure ", 1)
            self.refused(self.with_checksum(text), says=["a schedule cannot set the option", name])
        self.assertFalse(os.path.exists("/tmp/heddle-stolen"))

    def test_programs_that_were_not_built_to_be_tested(self):
        """They are named, and not started."""
        self.trusts = False
        text = self.text.replace(str(self.program), "/bin/sh").replace("option uninstrumented false", "option uninstrumented true")
        lines = [line for line in text.splitlines() if not line.startswith("argument ")]
        at = next(i for i, line in enumerate(lines) if line.startswith("option "))
        lines[at:at] = ['argument "-c"', f'argument "touch {self.dir}/started"']
        self.refused(self.with_checksum("\n".join(lines) + "\n"), says=["would run /bin/sh", "touch", "--trust"])
        self.assertFalse((self.dir / "started").exists())

    def test_programs_outside_of_the_current_directory(self):
        self.trusts = False
        words = [f"would run {self.program}", "outside of the current directory", "replay --trust bad.heddle"]
        self.refused(self.text, says=words)
        (self.dir / "elsewhere").symlink_to(self.program.parent)  # a link is not below
        self.refused(self.with_checksum(self.text.replace(str(self.program), f"{self.dir}/elsewhere/{self.program.name}")), says=words[1:])
        schedule = self.dir / "one.heddle"
        schedule.write_text(self.text)
        self.heddle("replay", "--trust", schedule, exit=1)
        self.heddle("replay", "--program", self.program, schedule, exit=1)
        self.heddle("replay", schedule, exit=1, cwd=self.program.parent)
        test = [self.program, "2", "2", "split"]
        told = self.heddle("run", *test, cwd=self.program.parent).out
        self.assertIn("  heddle replay heddle-out/", told)
        self.assertIn("  heddle replay --trust heddle-out/", self.heddle("run", *test).out)

    def test_terminal_escapes(self):
        """What a file has put into its fields does not reach the terminal."""
        for text in [self.text.replace("directory ", 'directory "/tmp/\\u001b]0;title\\u0007', 1).replace("]0;title\\u0007", "]0;title\\u0007\"\n# ", 1),
                     self.text.replace("option accesses sync", "option \x1b[2J sync", 1)]:
            self.bad.write_text(self.with_checksum(text))
            ran = self.heddle("replay", "bad.heddle", exit=2)
            self.assertNotIn("\x1b", ran.out + ran.err)
            self.assertNotIn("\x07", ran.out + ran.err)


if __name__ == "__main__":
    harness.main()

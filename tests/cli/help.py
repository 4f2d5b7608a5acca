#!/usr/bin/env python3
"""Help by topic, and manual pages: all of it from the option table, and nothing that man warns of."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])


def run(*command, check=True):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=check)


def heddle_help(*words):
    return run("heddle", "help", *words).stdout


def table():
    """Each option with its verbs."""
    rows = re.findall(r"^\| `--([a-z-]+)[^`]*` \| ([a-z0-9, ]+) \|", heddle_help("--markdown"), re.M)
    return {option: set(verbs.split(", ")) for option, verbs in rows}


class Topics(unittest.TestCase):
    def test_the_dozen_comes_first(self):
        text = run("heddle", "run", "--help").stdout
        first, others = text.split("The others, by topic")
        self.assertEqual(len(re.findall(r"^  --", first, re.M)), 12)
        self.assertIn("--preemptions N|none", first)
        self.assertIn("--executions N", first)
        self.assertLess(len(text.splitlines()), 80)
        topics = re.findall(r"^  ([a-z]+) +--", others, re.M)
        self.assertEqual(topics[:2], ["strategies", "bounds"])
        for topic in topics:
            self.assertRegex(heddle_help(topic), r"\A[A-Z][\w ]+:\n  --")

    def test_each_option_has_one_topic(self):
        usage = heddle_help()
        topics = usage.rsplit("\n  all ", 1)[1].split()
        found = [option for topic in topics for option in re.findall(r"^  --([a-z-]+)", heddle_help(topic), re.M)]
        self.assertEqual(sorted(found), sorted(table()))
        everything = re.findall(r"^  --([a-z-]+)", heddle_help("all"), re.M)
        self.assertEqual(found, everything)

    def test_options_that_run_has_not_name_their_verb(self):
        self.assertRegex(heddle_help("output"), r"--html FILE\s[^\[]*\[heddle show\]")
        self.assertNotIn("[heddle run", heddle_help("all"))

    def test_few_options_are_shown_at_once(self):
        text = run("heddle", "show", "--help").stdout
        self.assertIn("--script", text)
        self.assertNotIn("by topic", text)

    def test_no_such_topic(self):
        for name in ("races", "--races"):
            self.assertRegex(heddle_help(name), r"\A  --races fail\|explore\|ignore\n(?: {10,}\S.*\n)+\Z")
        result = run("heddle", "help", "bound", check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("did you mean bounds?", result.stderr)
        result = run("heddle", "help", "--completion", "tcsh", check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("bash, zsh and fish", result.stderr)
        result = run("heddle", "help", "--man", "heddle-rum", check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("did you mean heddle-run?", result.stderr)


class Manual(unittest.TestCase):
    def setUp(self):
        self.pages = heddle_help("--man").split()
        self.assertIn("heddle-run", self.pages)
        folder = pathlib.Path("man/man1")
        folder.mkdir(parents=True, exist_ok=True)
        for page in self.pages:
            (folder / f"{page}.1").write_text(heddle_help("--man", page))

    def rendered(self, page):
        environment = dict(os.environ, MANWIDTH="100", MAN_KEEP_FORMATTING="", LC_ALL="C.UTF-8", MANPATH="man")
        result = subprocess.run(
            ["man", "--warnings", "-E", "UTF-8", page],
            env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )
        self.assertEqual((result.returncode, result.stderr), (0, ""), page)
        return result.stdout

    def test_pages(self):
        if shutil.which("man") is None:
            self.skipTest("there is no man")
        options = table()
        for page in self.pages:
            text = self.rendered(page)
            self.assertRegex(text, r"NAME\n +heddle[\w+-]* ", page)
            for section in ("SYNOPSIS", "DESCRIPTION", "SEE ALSO"):
                self.assertIn(f"\n{section}\n", text, page)
            verb = page.partition("-")[2]
            for option, verbs in options.items():
                if verb in verbs:
                    self.assertRegex(text, rf"(?m)^ +--{option}( |$)", page)
        self.assertIn("find a failing schedule of a program", self.rendered("heddle"))

    def test_built_with_the_command(self):
        """What is installed is what the command prints."""
        built = BIN.parent / "pages"
        if not built.exists():
            self.skipTest("an installed copy")
        for page in self.pages:
            self.assertEqual((built / "man/man1" / f"{page}.1").read_text(), heddle_help("--man", page))
        for path, shell in [
            ("bash-completion/completions/heddle", "bash"),
            ("zsh/site-functions/_heddle", "zsh"),
            ("fish/vendor_completions.d/heddle.fish", "fish"),
        ]:
            self.assertEqual((built / path).read_text(), heddle_help("--completion", shell))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])

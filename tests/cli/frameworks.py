#!/usr/bin/env python3
"""GoogleTest, Catch2 and doctest: suites with passing, failing, throwing and skipped tests, run by the framework itself
with Heddle's headers in them, and test by test by `heddle gtest`, `heddle catch2` and `heddle doctest`."""

import functools
import os
import pathlib
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ET

SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "tests" / "command"))
import harness
import processes

SUITES = SOURCE / "tests" / "frameworks"
CATCH2_3 = os.environ.get("HEDDLE_CATCH2_3")


def line_of(source, text):
    """The number of the line that has this text; of several the last one."""
    lines = (SUITES / source).read_text().splitlines()
    return max(number for number, line in enumerate(lines, 1) if text in line)


def gtest(source):
    return harness.built(SUITES / source, "-lgtest", "-lgtest_main", "-lpthread")


@functools.cache
def catch2_main():
    """Built with the plain compiler."""
    output = pathlib.Path(harness.programs_folder().name) / "catch2_main.o"
    subprocess.run(["g++", "-std=c++20", "-c", SUITES / "catch2_main.cc", "-o", output], check=True)
    return output


class Frameworks(harness.CommandTest):
    def native(self, program, *words, env=None):
        """The program by itself: exit code and output."""
        ran = subprocess.run(
            [program, *words],
            cwd=self.dir,
            env=self.environment_with(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=harness.PATIENCE * 2,
        )
        return ran.returncode, ran.stdout

    def suite(self, verb, *words, exit, **how):
        """The JSON, and the tests in it by name."""
        ran = self.heddle(verb, "--json", "-", *words, exit=exit, **how)
        tests = {}
        for test in ran.json["tests"]:
            name = f"{test['group']}.{test['name']}" if test["group"] else test["name"]
            self.assertNotIn(name, tests)
            tests[name] = test
        return ran, tests

    def verdicts(self, tests):
        return {name: test["verdict"] for name, test in tests.items()}

    def failure(self, test):
        self.assertEqual(len(test["report"]["failures"]), 1, test)
        return test["report"]["failures"][0]

    def check_replay(self, failure):
        """What was saved fails again, in the same words."""
        again = self.heddle("replay", "--json", "-", failure["schedule"], exit=1).json["failures"][0]
        for key in ("kind", "message", "location", "steps", "preemptions"):
            self.assertEqual(again[key], failure[key])


class GoogleTest(Frameworks):
    def test_death_tests_are_run_once(self):
        ran, tests = self.suite("gtest", gtest("gtest_death.cc"), exit=2)
        self.assertEqual(
            self.verdicts(tests),
            {"ShopDeathTest.Dies": "skipped", "ShopDeathTest.Lives": "error", "Shop.Exits": "skipped"},
        )
        self.assertIn("run once, without a search", tests["Shop.Exits"]["reason"])

    def test_each_test_is_a_search(self):
        program = gtest("gtest_plain.cc")
        ran, tests = self.suite("gtest", program, exit=1)
        self.assertEqual(
            self.verdicts(tests),
            {
                "Plain.Passes": "passed",
                "Plain.Fails": "failed",
                "Plain.Throws": "failed",
                "Plain.Skips": "skipped",
                "Plain.DISABLED_Off": "disabled",
                "Shop.HasAFixture": "passed",
                "Few/Sizes.AreSold/0": "failed",
                "Few/Sizes.AreSold/1": "passed",
                "Typed/0.IsLarge": "passed",
                "Typed/1.IsLarge": "passed",
                "PlainDeathTest.Dies": "skipped",
            },
        )
        self.assertEqual(tests["Plain.Skips"]["reason"], "not on Mondays")
        self.assertIn("it forks", tests["PlainDeathTest.Dies"]["reason"])
        fails = self.failure(tests["Plain.Fails"])
        line = line_of("gtest_plain.cc", "one item was sold twice")
        self.assertEqual((fails["kind"], fails["location"]), ("assertion", f"gtest_plain.cc:{line}"))
        for words in ("Expected equality of these values", "Which is: -1", "one item was sold twice"):
            self.assertIn(words, fails["message"])
        self.check_replay(fails)
        throws = self.failure(tests["Plain.Throws"])
        line = line_of("gtest_plain.cc", "throw std")
        self.assertEqual((throws["kind"], throws["location"]), ("exception", f"gtest_plain.cc:{line}"))
        self.assertIn("sold out", throws["message"])
        # The table, and the reports of those that failed.
        self.assertRegex(ran.err, r"(?m)^failed +Plain\.Fails +\d+ .* assertion at gtest_plain\.cc:\d+$")
        self.assertRegex(ran.err, r"(?m)^skipped +Plain\.Skips +not on Mondays$")
        self.assertRegex(ran.err, r"(?m)^11 tests: 3 failed, 5 passed, 2 skipped, 1 disabled; ")
        # As a search of its own it takes no more executions than the test alone.
        one = self.search(program, "--gtest_filter=Plain.Passes", exit=0)
        self.assertEqual(tests["Plain.Passes"]["report"]["executions"], one["executions"])
        # What `heddle run` sees is an exit code; it tells the assertion, too.
        (other,) = self.search(program, "--gtest_filter=Plain.Fails", exit=1)["failures"]
        self.assertEqual((other["kind"], other["location"], other["message"]), ("exit", fails["location"], fails["message"]))

    def test_filters_and_shards(self):
        program = gtest("gtest_plain.cc")
        _, tests = self.suite("gtest", program, "--gtest_filter=Few/*:Plain.P*", exit=1)
        self.assertEqual(set(tests), {"Plain.Passes", "Few/Sizes.AreSold/0", "Few/Sizes.AreSold/1"})
        _, tests = self.suite("gtest", program, "--gtest_filter=Plain.*O*", "--gtest_also_run_disabled_tests", exit=1)
        self.assertEqual(self.verdicts(tests), {"Plain.DISABLED_Off": "failed"})
        # The shards are GoogleTest's own, and none of them runs nothing and says that it passed.
        found = []
        for index in ("0", "1"):
            env = {"GTEST_TOTAL_SHARDS": "2", "GTEST_SHARD_INDEX": index}
            filter = "--gtest_filter=Plain.Passes:Plain.Skips:Few/*"
            _, tests = self.suite("gtest", program, filter, exit=int(index == "0"), env=env)
            _, output = self.native(program, filter, env=env)
            self.assertEqual(set(re.findall(r"\[ RUN +\] (\S+)", output)), set(tests))
            found += tests
        self.assertEqual(len(set(found)), 4)
        _, tests = self.suite("gtest", program, "--gtest_filter=Plain.Passes", exit=0, env={"GTEST_OUTPUT": "xml:x.xml"})
        self.assertFalse((self.dir / "x.xml").exists())

    def test_mistakes_are_told(self):
        program = gtest("gtest_plain.cc")
        for words, message in (
            ([program, "--gtest_filter=Nobody.*"], "has no test of GoogleTest that is to be run with these arguments"),
            ([program, "--gtest_output=xml:x"], "type: heddle gtest --junit FILE"),
            ([program, "--gtest_repeat=3"], "would be obeyed in every execution"),
            (["--list-executions", "x", program], "unknown option --list-executions"),
            (["/bin/true"], "was not built with heddle-c++"),
            (["--junit", "none/x.xml", program], "--junit none/x.xml: cannot be written"),
            ([harness.built("correct_queue.cc")], "has no test"),
        ):
            ran = self.heddle("gtest", *words, exit=2)
            self.assertIn(message, ran.err)
        env = {"GTEST_TOTAL_SHARDS": "2"}
        self.assertIn("GTEST_SHARD_INDEX", self.heddle("gtest", program, exit=2, env=env).err)

    def test_budgets_are_for_each_test(self):
        _, tests = self.suite("gtest", "--executions", 2, gtest("gtest_plain.cc"), "--gtest_filter=*Passes:Shop.*", exit=0)
        self.assertEqual(set(self.verdicts(tests).values()), {"incomplete"})
        for test in tests.values():
            self.assertEqual(test["report"]["executions"], 2)
        both = []
        for jobs in (1, 2):
            _, tests = self.suite("gtest", "--jobs", jobs, gtest("gtest_plain.cc"), "--gtest_filter=Few/*", exit=1)
            both.append({name: test["report"]["executions"] for name, test in tests.items()})
        self.assertEqual(both[0], both[1])

    def test_the_header(self):
        """With the framework's own runner: what it prints, its XML, its filters."""
        program = gtest("gtest_header.cc")
        code, output = self.native(program, "--gtest_output=xml:out.xml")
        self.assertEqual(code, 1, output)
        cases = {}
        for case in ET.parse(self.dir / "out.xml").iter("testcase"):
            text = "\n".join(failure.get("message") for failure in case.iter("failure"))
            properties = [one.get("value") for one in case.iter("property")]
            cases[f"{case.get('classname')}.{case.get('name')}"] = (case.get("result"), text, properties)
        failing = {name for name, (result, text, _) in cases.items() if text}
        self.assertEqual(
            failing,
            {"Header.Fails", "Header.Throws", "Header.FailsElsewhere", "HeaderShop.Fails", "Header.GoesOn", "Header.EndsThere"},
        )
        self.assertEqual(cases["Header.Skips"][0], "skipped")
        self.assertEqual(cases["Header.GoesOn"][2], ["on"])
        self.assertEqual(cases["Header.EndsThere"][2], [])
        line = line_of("gtest_header.cc", "one item was sold twice")
        for words in (f"assertion in main at gtest_header.cc:{line}", "Which is: -1", "one item was sold twice", "1 preemption"):
            self.assertIn(words, cases["Header.Fails"][1])
        self.assertIn("assertion in T1 at", cases["Header.FailsElsewhere"][1])
        self.assertIn("uncaught exception std::runtime_error: sold out", cases["Header.Throws"][1])
        code, output = self.native(program, "--gtest_filter=*Passes:Header.Checks")
        self.assertEqual(code, 0, output)
        self.assertIn("[  PASSED  ] 3 tests.", output)

    def test_the_header_under_the_command(self):
        """The command searches, and HEDDLE_TEST just runs; what fails ends the execution there."""
        _, tests = self.suite("gtest", gtest("gtest_header.cc"), "--gtest_filter=-Header.Checks", exit=1)
        self.assertEqual(
            self.verdicts(tests),
            {
                "Header.Passes": "passed",
                "Header.Fails": "failed",
                "Header.Throws": "failed",
                "Header.Skips": "skipped",
                "Header.FailsElsewhere": "failed",
                "Header.GoesOn": "failed",
                "Header.EndsThere": "failed",
                "HeaderShop.Fails": "failed",
                "HeaderShop.Passes": "passed",
            },
        )
        fails = self.failure(tests["Header.Fails"])
        line = line_of("gtest_header.cc", "one item was sold twice")
        self.assertEqual((fails["kind"], fails["location"]), ("assertion", f"gtest_header.cc:{line}"))
        self.assertIn("Which is: -1", fails["message"])
        self.check_replay(fails)

    def test_check_inside_of_a_search(self):
        ran = self.heddle("run", gtest("gtest_header.cc"), "--gtest_filter=Header.Checks", exit=2)
        self.assertIn("heddle::check", ran.out)
        self.assertIn("start it without heddle run", ran.out)

    def test_nothing_is_lost_without_the_header(self):
        code, output = self.native(gtest("gtest_silent.cc"))
        self.assertEqual(code, 1)
        self.assertIn("[  FAILED  ] Silent.Fails", output)
        line = line_of("gtest_silent.cc", "sell(&stock)")
        self.assertIn(f"FAILED  assertion in main at gtest_silent.cc:{line}", output)
        self.assertIn("Which is: -1", output)
        # What failed before is no failure of the executions.
        self.assertIn("[  FAILED  ] Silent.FailsBefore", output)
        self.assertEqual(output.count("FAILED  assertion"), 1)


class Catch2(Frameworks):
    COUNTS = "5 tests: 2 failed, 3 passed"
    PLAIN = {
        "plain passes": "passed",
        'plain, with [brackets] and "quotes"': "failed",
        "plain throws": "failed",
        "~plain sections": "passed",
        "plain may fail": "passed",
    }

    def built(self, *flags):
        main = "-DMAIN" if processes.ALL_SAMPLES else catch2_main()
        return harness.built(SUITES / "catch2_suite.cc", *flags, main)

    def test_each_test_is_a_search(self):
        program = self.built("-DPLAIN")
        ran, tests = self.suite("catch2", program, exit=1)
        self.assertEqual(self.verdicts(tests), self.PLAIN)
        fails = self.failure(tests['plain, with [brackets] and "quotes"'])
        line = line_of("catch2_suite.cc", "one item was sold twice") + 1
        self.assertEqual((fails["kind"], fails["location"]), ("exit", f"catch2_suite.cc:{line}"))
        for words in ("CHECK( sell(&stock) == 0 )", "-1 == 0", "one item was sold twice"):
            self.assertIn(words, fails["message"])
        self.check_replay(fails)
        throws = self.failure(tests["plain throws"])
        self.assertIn("due to unexpected exception with message:\n  sold out", throws["message"])
        self.assertRegex(ran.err, rf"(?m)^{self.COUNTS}; ")
        _, tests = self.suite("catch2", program, "[.]", exit=1)
        self.assertEqual(self.verdicts(tests), {"plain hidden": "failed"})
        self.assertIn("has no test", self.heddle("catch2", program, "nobody", exit=2).err)
        self.assertIn("heddle catch2 --junit", self.heddle("catch2", program, "-o", "x", exit=2).err)
        self.assertIn("Catch2", self.heddle("catch2", harness.built("correct_queue.cc"), exit=2).err)

    def test_the_header(self):
        program = self.built()
        code, _ = self.native(program, "[header]", "-r", "junit", "-o", "out.xml")
        self.assertNotEqual(code, 0)
        cases = {}
        for case in ET.parse(self.dir / "out.xml").iter("testcase"):
            cases[case.get("name")] = [one.text for one in (*case.iter("failure"), *case.iter("error"))]
        counts = {name: len(texts) for name, texts in cases.items()}
        wanted = {"header passes": 0, "header fails": 1, "header throws": 1, "header goes on": 2, "header checks": 0}
        self.assertEqual(counts, wanted)
        self.assertIn("FAILED  assertion in main at catch2_suite.cc:", cases["header fails"][0])
        self.assertIn("-1 == 0", cases["header fails"][0])
        self.assertIn("uncaught exception std::runtime_error: sold out", cases["header throws"][0])
        _, tests = self.suite("catch2", program, "~[header]~[.],header passes,header fails", exit=1)
        self.assertEqual(self.verdicts(tests), {**self.PLAIN, "header passes": "passed", "header fails": "failed"})
        throws = self.failure(tests["plain throws"])
        self.assertRegex(throws["location"], r"^catch2_suite.cc:\d+$")
        self.assertIn("due to unexpected exception with message:\n  sold out", throws["message"])
        for name in ("header fails", 'plain, with [brackets] and "quotes"'):
            self.assertEqual(self.failure(tests[name])["kind"], "assertion")
            self.assertIn("-1 == 0", self.failure(tests[name])["message"])


@unittest.skipUnless(CATCH2_3, "HEDDLE_CATCH2_3 does not say where Catch2 3 is installed; Debian 12 has version 2")
class Catch2Version3(Catch2):
    COUNTS = "6 tests: 2 failed, 3 passed, 1 skipped"
    PLAIN = {**Catch2.PLAIN, "plain skipped": "skipped"}

    def built(self, *flags):
        library = (f"-I{CATCH2_3}/include", f"-L{CATCH2_3}/lib", "-lCatch2Main", "-lCatch2")
        return harness.built(SUITES / "catch2_suite.cc", *flags, *library)


class Doctest(Frameworks):
    PLAIN = {
        "plain passes": "passed",
        'plain, with [brackets] and "quotes"': "failed",
        "plain throws": "failed",
        "plain skipped": "skipped",
        "plain may fail": "passed",
        "a suite.subcases": "passed",
    }

    def test_each_test_is_a_search(self):
        program = harness.built(SUITES / "doctest_suite.cc", "-DPLAIN")
        ran, tests = self.suite("doctest", program, exit=1)
        self.assertEqual(self.verdicts(tests), self.PLAIN)
        fails = self.failure(tests['plain, with [brackets] and "quotes"'])
        line = line_of("doctest_suite.cc", "one item was sold twice") + 1
        self.assertEqual((fails["kind"], fails["location"]), ("exit", f"doctest_suite.cc:{line}"))
        for words in ("CHECK( sell(&stock) == 0 ) is NOT correct!", "values: CHECK( -1 == 0 )"):
            self.assertIn(words, fails["message"])
        self.check_replay(fails)
        self.assertIn("THREW exception: sold out", self.failure(tests["plain throws"])["message"])
        self.assertRegex(ran.err, r"(?m)^6 tests: 2 failed, 3 passed, 1 skipped; ")
        _, tests = self.suite("doctest", program, "-ts=a suite", exit=0)
        self.assertEqual(self.verdicts(tests), {"a suite.subcases": "passed"})
        _, tests = self.suite("doctest", program, "-tc=plain p*,plain s*", "--no-skip", exit=1)
        self.assertEqual(self.verdicts(tests), {"plain passes": "passed", "plain skipped": "failed"})
        self.assertIn("has no test", self.heddle("doctest", program, "-tc=nobody", exit=2).err)
        self.assertIn("heddle doctest --junit", self.heddle("doctest", program, "-o=x", exit=2).err)

    def test_the_header(self):
        program = harness.built(SUITES / "doctest_suite.cc")
        code, _ = self.native(program, "-tc=header*", "-r=junit", "-o=out.xml")
        self.assertEqual(code, 1)
        cases = {}
        for case in ET.parse(self.dir / "out.xml").iter("testcase"):
            cases[case.get("name")] = [one.text for one in (*case.iter("failure"), *case.iter("error"))]
        counts = {name: len(texts) for name, texts in cases.items()}
        wanted = {"header passes": 0, "header fails": 1, "header throws": 1, "header goes on": 2, "header checks": 0}
        self.assertEqual(counts, wanted)
        self.assertIn("FAILED  assertion in main at doctest_suite.cc:", cases["header fails"][0])
        self.assertIn("values: CHECK( -1 == 0 )", cases["header fails"][0])
        self.assertIn("uncaught exception std::runtime_error: sold out", cases["header throws"][0])
        _, tests = self.suite("doctest", program, "-tc=header f*,plain?*", exit=1)
        self.assertEqual(tests["plain may fail"]["verdict"], "passed")
        for name in ("header fails", 'plain, with [brackets] and "quotes"'):
            self.assertEqual(self.failure(tests[name])["kind"], "assertion")
            self.assertIn("values: CHECK( -1 == 0 )", self.failure(tests[name])["message"])


if __name__ == "__main__":
    harness.main()

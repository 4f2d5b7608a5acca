#include "report/tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/exit_code.h"
#include "warnings/xml.h"

namespace heddle::report {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

Test test_with(std::string name, Verdict verdict) {
  Test test;
  test.group = "Stock";
  test.name = std::move(name);
  test.summary.program = {"./stock"};
  test.summary.verdict = verdict;
  test.summary.complete = verdict == Verdict::passed;
  test.summary.executions = 7;
  if (verdict == Verdict::failed) {
    trace::Finding finding;
    finding.kind = wire::Failure::assertion;
    finding.message = "stock.cc:3: odd <&\">\n  Which is: \x01\xff";
    finding.stack = {{"take", "/home/ada/src/stock.cc", 3, "stock", 0, false, false}};
    finding.steps = 12;
    finding.preemptions = 1;
    finding.schedule_file = "heddle-out/stock-1.heddle";
    test.summary.findings.push_back(std::move(finding));
  }
  return test;
}

Tests all_kinds() {
  Tests tests;
  tests.framework = "gtest";
  tests.program = {"./stock"};
  tests.root = "/home/ada";
  tests.all = {
      test_with("Passes", Verdict::passed),    test_with("Fails", Verdict::failed),
      test_with("Long", Verdict::incomplete),  test_with("Forks", Verdict::incomplete),
      test_with("Skips", Verdict::incomplete), test_with("DISABLED_Off", Verdict::incomplete)};
  tests.all[3].summary.unsupported = "fork, at stock.cc:9";
  tests.all[4].state = Test::State::skipped;
  tests.all[4].reason = "not on Mondays";
  tests.all[5].state = Test::State::disabled;
  return tests;
}

TEST(Tests, ExitCode) {
  Tests tests = all_kinds();
  EXPECT_EQ(exit_code(tests), heddle::exit_code::failed);
  tests.all.erase(tests.all.begin() + 1);
  EXPECT_EQ(exit_code(tests), heddle::exit_code::refused);
  tests.all.erase(tests.all.begin() + 2);
  EXPECT_EQ(exit_code(tests), heddle::exit_code::ok);
  tests.interrupted = true;
  EXPECT_EQ(exit_code(tests), heddle::exit_code::interrupted);
}

TEST(Tests, VerdictOfAll) {
  Tests tests = all_kinds();
  auto verdict = [&] { return Json::parse(tests_json(tests))["verdict"].get<std::string>(); };
  EXPECT_EQ(verdict(), "failed");
  tests.all.erase(tests.all.begin() + 1);
  EXPECT_EQ(verdict(), "incomplete");
  tests.all.erase(tests.all.begin() + 1, tests.all.begin() + 3);
  EXPECT_EQ(verdict(), "passed");
  tests.interrupted = true;
  EXPECT_EQ(verdict(), "incomplete");
}

TEST(Tests, Text) {
  std::string text = tests_text(all_kinds());
  EXPECT_THAT(text, HasSubstr("failed      Stock.Fails"));
  EXPECT_THAT(text, HasSubstr("assertion at stock.cc:3\n"));
  EXPECT_THAT(text, HasSubstr("unsupported: fork, at stock.cc:9\n"));
  EXPECT_THAT(text, HasSubstr("not on Mondays\n"));
  EXPECT_THAT(text, HasSubstr("\n6 tests: 1 failed, 1 error, 1 incomplete, 1 passed, 1 skipped, "
                              "1 disabled; "));
}

TEST(Tests, Junit) {
  warnings::Element root = warnings::parse_xml(junit(all_kinds()));
  const warnings::Element& suite = root.children.at(0);
  EXPECT_EQ(suite.attribute("tests"), "6");
  EXPECT_EQ(suite.attribute("failures"), "1");
  EXPECT_EQ(suite.attribute("errors"), "1");
  EXPECT_EQ(suite.attribute("skipped"), "2");
  const warnings::Element* failure = suite.children.at(1).child("failure");
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->attribute("type"), "assertion");
  EXPECT_EQ(failure->attribute("message"),
            "assertion: stock.cc:3: odd <&\"> Which is: ?? (12 steps, 1 preemption)");
  EXPECT_EQ(suite.children.at(4).child("skipped")->text, "not on Mondays");
}

TEST(Tests, Sarif) {
  Json run = Json::parse(sarif(all_kinds()))["runs"][0];
  ASSERT_EQ(run["results"].size(), 1u);
  const Json& where = run["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(where["artifactLocation"]["uri"], "src/stock.cc");
  EXPECT_EQ(run["results"][0]["properties"]["test"], "Stock.Fails");
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"].size(), 2u);
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], false);
}

TEST(Tests, Annotations) {
  EXPECT_EQ(
      github_annotations(all_kinds()),
      "::error file=src/stock.cc,line=3,title=Stock.Fails%3A assertion::assertion: stock.cc:3: "
      "odd <&\"> Which is: \x01\xff (12 steps, 1 preemption)%0Aheddle replay "
      "heddle-out/stock-1.heddle\n"
      "::error title=Stock.Forks::unsupported: fork, at stock.cc:9\n");
}

TEST(Tests, PathFrom) {
  EXPECT_EQ(path_from("/home/ada", "/home/ada/src/a.cc"), "src/a.cc");
  EXPECT_EQ(path_from("/home/ada", "/home/adam/a.cc"), "/home/adam/a.cc");
  EXPECT_EQ(path_from("/home/ada", "src/a.cc"), "src/a.cc");
  EXPECT_EQ(path_from("", "/a.cc"), "/a.cc");
}

}  // namespace
}  // namespace heddle::report

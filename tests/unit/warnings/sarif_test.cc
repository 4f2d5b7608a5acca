#include "warnings/sarif.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "warnings/samples.h"

namespace heddle::warnings {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

std::vector<Judged> three() {
  Location first{"src/a b.cc", 3, 7, "put(int)"};
  Location second{"/abs/b.cc", 9, 0, ""};
  Warning race{"Helgrind",           "Race", Kind::data_race,
               "possible data race", first,  {{first, second}, {second, first}},
               {first, second},      12,     {}};
  Warning other{"odd", "", Kind::any, "odd", second, {{second}}, {second}, 1, {}};
  Judged confirmed{race, Verdict::confirmed, 1, 2, "out/a-1.heddle", "data race at b.cc:9", 17};
  Judged reached{other, Verdict::reached, 0, 1, "", "", 4};
  Judged neither{race, Verdict::not_confirmed, 0, 1, "", "", 1000};
  return {confirmed, reached, neither};
}

TEST(SarifOut, HasWhatTheStandardRequires) {
  Json document = Json::parse(sarif(three(), {"line 3: odd"}));
  EXPECT_EQ(document.at("version"), "2.1.0");
  ASSERT_EQ(document.at("runs").size(), 1u);
  const Json& run = document.at("runs")[0];
  const Json& driver = run.at("tool").at("driver");
  EXPECT_EQ(driver.at("name"), "Heddle");
  std::set<std::string> rules;
  for (const Json& rule : driver.at("rules")) rules.insert(rule.at("id").get<std::string>());
  EXPECT_EQ(rules.size(), driver.at("rules").size()) << "rules are unique";
  ASSERT_EQ(run.at("results").size(), 3u);
  for (const Json& result : run.at("results")) {
    EXPECT_TRUE(rules.contains(result.at("ruleId").get<std::string>()));
    EXPECT_FALSE(result.at("message").at("text").get<std::string>().empty());
    // Only what fails has a severity (3.27.10).
    EXPECT_EQ(result.at("level") == "none", result.at("kind") != "fail");
    for (const Json& location : result.at("locations")) {
      const Json& physical = location.at("physicalLocation");
      EXPECT_EQ(physical.at("artifactLocation").at("uri").get<std::string>().find(' '),
                std::string::npos);
      EXPECT_GE(physical.at("region").at("startLine").get<int>(), 1);
    }
    for (const Json& code_flow : result.at("codeFlows")) {
      ASSERT_EQ(code_flow.at("threadFlows").size(), 1u);
      EXPECT_GE(code_flow.at("threadFlows")[0].at("locations").size(), 1u);
    }
  }
  const Json& invocation = run.at("invocations")[0];
  EXPECT_EQ(invocation.at("executionSuccessful"), true);
  EXPECT_EQ(invocation.at("toolExecutionNotifications")[0].at("message").at("text"), "line 3: odd");
}

TEST(SarifOut, HasTheVerdicts) {
  Json document = Json::parse(sarif(three()));
  const Json& results = document.at("runs")[0].at("results");
  EXPECT_EQ(results[0].at("level"), "error");
  EXPECT_EQ(results[1].at("level"), "note");
  EXPECT_EQ(results[2].at("level"), "none");
  EXPECT_EQ(results[1].at("ruleId"), "failure");
  const Json& bag = results[0].at("properties");
  EXPECT_EQ(bag.at("verdict"), "confirmed");
  EXPECT_EQ(bag.at("schedule"), "out/a-1.heddle");
  EXPECT_EQ(bag.at("executions"), 17);
  EXPECT_EQ(bag.at("warningTool"), "Helgrind");
  EXPECT_EQ(bag.at("reportLine"), 12);
  EXPECT_EQ(results[2].at("properties").at("verdict"), "not confirmed");
  EXPECT_EQ(results[2].at("properties").at("placesPassed"), 1);
  EXPECT_EQ(results[2].at("properties").at("places"), 2);
  EXPECT_FALSE(results[2].at("properties").contains("schedule"));
}

TEST(SarifOut, SaysHowFarItCame) {
  std::vector<Judged> all = three();
  EXPECT_EQ(verdict_text(all[0]), "confirmed: data race at b.cc:9, out/a-1.heddle");
  EXPECT_EQ(verdict_text(all[1]), "reached: its place was passed, and nothing failed");
  EXPECT_EQ(verdict_text(all[2]), "not confirmed: 1 of 2 places were passed; not /abs/b.cc:9");
}

// What was written can be given to Heddle again.
TEST(SarifOut, IsRead) {
  Reading reading = read_text(sarif(three()), "r");
  ASSERT_EQ(reading.warnings.size(), 3u);
  EXPECT_EQ(reading.warnings[0].where.file, "src/a b.cc");
  EXPECT_EQ(reading.warnings[0].where.function, "put(int)");
  EXPECT_EQ(reading.warnings[0].kind, Kind::data_race);
  EXPECT_EQ(lines_of(reading.warnings[0].sequences[0]), "/abs/b.cc:9 src/a b.cc:3");
  EXPECT_TRUE(reading.unread.empty());
}

TEST(SarifOut, BytesThatAreNoTextDoNoHarm) {
  std::vector<Judged> all = three();
  all[0].warning.message = "\xff\xfe";
  all[0].warning.where.file = "\x80.cc";
  EXPECT_FALSE(Json::parse(sarif(all)).at("runs").empty());
}

}  // namespace
}  // namespace heddle::warnings

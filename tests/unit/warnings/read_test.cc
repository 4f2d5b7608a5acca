#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "warnings/samples.h"

namespace heddle::warnings {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string why(const std::string& text) {
  try {
    read_text(text, "report.txt");
  } catch (const UserError& error) {
    return error.what();
  }
  return "it was read";
}

TEST(ReadReport, SaysWhatIsWrongWithAFile) {
  auto message = [](const std::string& path) -> std::string {
    try {
      read_report(path);
    } catch (const UserError& error) {
      return error.what();
    }
    return "it was read";
  };
  EXPECT_THAT(message("/nowhere/report.txt"),
              HasSubstr("/nowhere/report.txt: the report cannot be read: No such"));
  EXPECT_THAT(message("/"), HasSubstr("cannot be read"));
}

TEST(ReadText, SaysWhichFormatsAreKnown) {
  EXPECT_THAT(why(" \n"), HasSubstr("report.txt: the report is empty"));
  EXPECT_THAT(why("hello\n"),
              AllOf(HasSubstr("report.txt: not a report of a known format"),
                    HasSubstr("ThreadSanitizer"), HasSubstr("Helgrind"), HasSubstr("clang-tidy"),
                    HasSubstr("cppcheck"), HasSubstr("SARIF 2.1.0")));
  EXPECT_THAT(why("<?xml version=\"1.0\"?><html/>"), HasSubstr("root <html>"));
  EXPECT_THAT(why("{\"a\": 1}"), HasSubstr("JSON, but not SARIF"));
  EXPECT_THAT(why("{\n\n\"runs\": [}"), HasSubstr("line 3: the document is not JSON"));
  EXPECT_THAT(why("{\"runs\": [], \"version\": \"1.0.0\"}"),
              HasSubstr("version \"1.0.0\", not 2.1.0"));
}

TEST(Sarif, ACodeFlowIsASequence) {
  Reading reading = corpus("drain.analyzer.sarif");
  ASSERT_EQ(reading.warnings.size(), 2u);
  const Warning& warning = reading.warnings[0];
  EXPECT_EQ(warning.tool, "clang");
  EXPECT_EQ(warning.kind, Kind::use_after_free);
  EXPECT_EQ(warning.line, 19u);
  // What matters of it, and then all.
  EXPECT_THAT(sequences_as_text(warning),
              ElementsAre("drain.cc:16 drain.cc:17", "drain.cc:15 drain.cc:16 drain.cc:17"));
  EXPECT_EQ(reading.unread.size(), 2u);
}

std::string place(int line) {
  return R"({"physicalLocation": {"artifactLocation": {"uri": "file:///src/a%20b.cc"}, "region": {"startLine": )" +
         std::to_string(line) + "}}}";
}

std::string document(const std::string& results) {
  return R"({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "Infer"}},
"artifacts": [{}, {}], "results": [)" +
         results + "]}]}";
}

std::string flow(const std::vector<int>& lines) {
  std::string all;
  for (int line : lines)
    all += (all.empty() ? "" : ", ") + (R"({"location": )" + place(line) + "}");
  return R"({"locations": [)" + all + "]}";
}

TEST(Sarif, SeveralThreadsHaveBothOrders) {
  Reading reading = read_text(
      document(R"({"ruleId": "THREAD_SAFETY_VIOLATION", "message": {"text": "m"}, "locations": [)" +
               place(4) + R"(], "codeFlows": [{"threadFlows": [)" + flow({1, 2}) + ", " +
               flow({3, 4}) + "]}]}"),
      "r");
  ASSERT_EQ(reading.warnings.size(), 1u);
  const Warning& warning = reading.warnings[0];
  EXPECT_EQ(warning.tool, "Infer");
  EXPECT_EQ(warning.kind, Kind::data_race);
  EXPECT_EQ(warning.line, 2u);
  EXPECT_EQ(warning.where.file, "/src/a b.cc");
  std::string a = "/src/a b.cc:";
  EXPECT_THAT(sequences_as_text(warning), ElementsAre(a + "1 " + a + "2 " + a + "3 " + a + "4",
                                                      a + "3 " + a + "4 " + a + "1 " + a + "2"));
  EXPECT_EQ(lines_of(warning.needed), a + "2 " + a + "4");
}

TEST(Sarif, ThreadsOfADeadlockTakeTurns) {
  Reading reading =
      read_text(document(R"({"ruleId": "DEADLOCK", "message": {"text": "m"}, "locations": [)" +
                         place(4) + R"(], "codeFlows": [{"threadFlows": [)" + flow({1, 2}) + ", " +
                         flow({3, 4}) + "]}]}"),
                "r");
  ASSERT_EQ(reading.warnings.size(), 1u);
  std::string a = "/src/a b.cc:";
  EXPECT_THAT(sequences_as_text(reading.warnings[0]),
              ElementsAre(a + "1 " + a + "3 " + a + "2 " + a + "4"));
}

TEST(Sarif, RelatedPlacesAreUsedWhereThereIsNoFlow) {
  Reading reading =
      read_text(document(R"({"ruleId": "cpp/data-race", "message": {"text": "m"}, "locations": [)" +
                         place(4) + R"(], "relatedLocations": [)" + place(9) + "]}"),
                "r");
  ASSERT_EQ(reading.warnings.size(), 1u);
  std::string a = "/src/a b.cc:";
  EXPECT_THAT(sequences_as_text(reading.warnings[0]),
              ElementsAre(a + "4 " + a + "9", a + "9 " + a + "4"));
  EXPECT_EQ(lines_of(reading.warnings[0].needed), a + "4 " + a + "9");
}

TEST(Sarif, WhatIsNotKnownMayFailAnyhow) {
  Reading reading = read_text(
      document(R"({"ruleId": "ODD", "message": {"text": "odd"}, "locations": [)" + place(4) + "]}"),
      "r");
  ASSERT_EQ(reading.warnings.size(), 1u);
  EXPECT_EQ(reading.warnings[0].kind, Kind::any);
  EXPECT_THAT(sequences_as_text(reading.warnings[0]), ElementsAre("/src/a b.cc:4"));
}

TEST(Sarif, NamesWhatItCannotUse) {
  Reading reading = read_text(document("{\"ruleId\": \"A\", \"message\": {\"text\": \"m\"}},\n"
                                       "{\"ruleId\": \"B\", \"kind\": \"pass\"},\n"
                                       "{\"ruleId\": \"MEMORY_LEAK\", \"locations\": [" +
                                       place(1) + "]},\n" + "7"),
                              "r");
  EXPECT_TRUE(reading.warnings.empty());
  EXPECT_THAT(reading.unread, ElementsAre(HasSubstr("line 2: A: it has no place"),
                                          HasSubstr("line 3: B: its kind is \"pass\""),
                                          HasSubstr("line 4: MEMORY_LEAK: not about threads"),
                                          HasSubstr("a result that is no object")));
}

}  // namespace
}  // namespace heddle::warnings

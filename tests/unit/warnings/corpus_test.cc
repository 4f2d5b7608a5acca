// The reports of bench/guided/warnings have the warnings that its table lists, and no others.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "warnings/samples.h"

namespace heddle::warnings {
namespace {

using Json = nlohmann::json;

Json reports_of_table() { return Json::parse(text_of(kCorpus + "warnings.json")).at("reports"); }

std::string row(const std::string& kind, const std::string& where, const std::string& needed) {
  return kind + " at " + where + ", needs " + needed;
}

TEST(Corpus, HasTheWarningsOfItsTable) {
  for (const Json& report : reports_of_table()) {
    std::string name = report.at("report");
    std::multiset<std::string> expected;
    for (const Json& warning : report.at("warnings")) {
      std::string needed;
      for (const Json& place : warning.at("needed"))
        needed += (needed.empty() ? "" : " ") + place.get<std::string>();
      expected.insert(row(warning.at("kind"), warning.at("where"), needed));
    }
    std::multiset<std::string> found;
    for (const Warning& warning : corpus(name).warnings)
      found.insert(
          row(kind_name(warning.kind), lines_of({warning.where}), lines_of(warning.needed)));
    EXPECT_EQ(found, expected) << name;
  }
}

TEST(Corpus, IsHalfRealAndHalfFalse) {
  int real = 0;
  int all = 0;
  std::set<std::string> reports;
  for (const Json& report : reports_of_table()) {
    EXPECT_TRUE(std::filesystem::exists(kCorpus + report.at("program").get<std::string>()));
    reports.insert(report.at("report").get<std::string>());
    for (const Json& warning : report.at("warnings")) {
      ++all;
      real += warning.at("real").get<bool>() ? 1 : 0;
    }
  }
  EXPECT_EQ(all, 30);
  EXPECT_EQ(real, 15);
  // None is there that the table does not name.
  for (const auto& entry : std::filesystem::directory_iterator(kCorpus + "reports"))
    EXPECT_TRUE(reports.contains(entry.path().filename().string())) << entry.path();
}

// But for leaks, which Clang's analyzer warns of too, everything in it is understood.
TEST(Corpus, IsReadAsAWhole) {
  for (const Json& report : reports_of_table()) {
    std::string name = report.at("report");
    for (const std::string& unread : corpus(name).unread)
      EXPECT_NE(unread.find("NewDeleteLeaks"), std::string::npos) << name << ": " << unread;
  }
}

}  // namespace
}  // namespace heddle::warnings

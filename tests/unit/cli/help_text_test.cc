// The pieces of help.
#include "cli/help_text.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::cli {
namespace {

TEST(HelpText, LinesAreWrapped) {
  std::string text = wrapped(std::string(90, 'a') + " bb cc dd", 4);
  EXPECT_EQ(text, std::string(90, 'a') + "\n    bb cc dd");
}

TEST(HelpText, BriefWordsAreShort) {
  for (const options::OptionRecord& record : options::option_table()) {
    std::string text = brief(record);
    EXPECT_FALSE(text.empty()) << record.name;
    EXPECT_LE(text.size(), 64 + std::string_view("…").size()) << record.name;
    EXPECT_EQ(text.find('\n'), text.npos);
  }
  EXPECT_EQ(brief(*options::find_option("executions")), "stop after N executions");
  EXPECT_EQ(brief(*options::find_option("strategy")), "how schedules are chosen");
}

TEST(HelpText, EachOptionHasOneTopic) {
  std::set<std::string> names;
  size_t count = 0;
  for (const Topic& topic : topics(~0u)) {
    EXPECT_TRUE(names.insert(topic.name).second) << topic.name;
    EXPECT_EQ(topic.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), topic.name.npos);
    count += topic.options.size();
  }
  EXPECT_EQ(count, options::option_table().size());
}

TEST(HelpText, ADozenOptionsComeFirst) {
  size_t common = 0;
  for (const options::OptionRecord& record : options::option_table()) {
    if (!record.common) continue;
    ++common;
    EXPECT_NE(record.verbs & options::kRun, 0u) << record.name;
  }
  EXPECT_EQ(common, 12u);
}

}  // namespace
}  // namespace heddle::cli

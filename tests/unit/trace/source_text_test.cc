#include "trace/source_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace heddle::trace {
namespace {

namespace fs = std::filesystem;

class SourceTextTest : public testing::Test {
 protected:
  SourceTextTest() : folder_(fs::temp_directory_path() / ("source-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~SourceTextTest() override { fs::remove_all(folder_); }

  // A file whose lines are their numbers.
  std::string numbers(const std::string& name, int count) {
    std::string path = folder_ / name;
    std::ofstream out(path);
    for (int i = 1; i <= count; ++i) out << i << "\n";
    return path;
  }

  static Finding at(const std::vector<std::pair<std::string, int>>& places) {
    Finding finding;
    for (const auto& [file, line] : places) {
      finding.stack.push_back({"f", file, line, "program", 0, false});
    }
    return finding;
  }

  fs::path folder_;
};

TEST_F(SourceTextTest, HoldsShortFilesAsAWhole) {
  std::string file = numbers("short.cc", 3);
  std::vector<SourceText> texts = source_texts(at({{file, 2}, {file, 3}}));
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts[0].file, file);
  ASSERT_EQ(texts[0].excerpts.size(), 1u);
  EXPECT_EQ(texts[0].excerpts[0].first, 1u);
  EXPECT_THAT(texts[0].excerpts[0].lines, testing::ElementsAre("1", "2", "3"));
}

// 60 lines before and after: 40 to 160, and with that 100 to 220; the last line that is wanted is
// not in the file.
TEST_F(SourceTextTest, HoldsOfLongFilesWhatStandsAroundThePlaces) {
  std::string file = numbers("long.cc", 5000);
  std::vector<SourceText> texts =
      source_texts(at({{file, 100}, {file, 160}, {file, 4990}, {file, 6000}}));
  ASSERT_EQ(texts.size(), 1u);
  const std::vector<SourceExcerpt>& excerpts = texts[0].excerpts;
  ASSERT_EQ(excerpts.size(), 2u);
  EXPECT_EQ(excerpts[0].first, 40u);
  EXPECT_EQ(excerpts[0].lines.front(), "40");
  EXPECT_EQ(excerpts[0].lines.back(), "220");
  EXPECT_EQ(excerpts[0].lines.size(), 181u);
  EXPECT_EQ(excerpts[1].first, 4930u);
  EXPECT_EQ(excerpts[1].lines.back(), "5000");
}

TEST_F(SourceTextTest, LeavesOutWhatCannotBeRead) {
  Finding finding = at({{folder_ / "gone.cc", 1}, {folder_, 1}, {"", 7}});
  finding.stack.push_back({"lock", numbers("system.h", 5), 3, "program", 0, true});
  EXPECT_TRUE(source_texts(finding).empty());
}

TEST_F(SourceTextTest, LooksAtAllStacks) {
  std::string a = numbers("a.cc", 5), b = numbers("b.cc", 5), c = numbers("c.cc", 5);
  Finding finding = at({{a, 1}});
  DetailedStep step;
  step.stack = at({{b, 2}}).stack;
  finding.timeline = Timeline(std::vector{step});
  finding.threads.push_back(
      {"0", wire::ThreadState::waiting, wire::Op::join, "", "", at({{c, 3}}).stack});
  EXPECT_EQ(source_texts(finding).size(), 3u);
}

}  // namespace
}  // namespace heddle::trace

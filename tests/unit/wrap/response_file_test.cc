// Response files are read as libiberty's buildargv() and LLVM's TokenizeGNUCommandLine() read them.
#include "wrap/response_file.h"

#include <gmock/gmock.h>

#include <map>

namespace heddle::wrap {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> expanded(const std::vector<std::string>& arguments,
                                  const std::map<std::string, std::string>& files) {
  std::vector<std::string> texts;
  const FileReader read = [&](const std::string& path) -> std::optional<std::string> {
    const auto file = files.find(path);
    if (file == files.end()) return std::nullopt;
    return file->second;
  };
  for (const Word& word : expand_response_files(arguments, read)) texts.push_back(word.text);
  return texts;
}

TEST(SplitResponse, WhiteSpaceSeparates) {
  EXPECT_THAT(split_response(""), IsEmpty());
  EXPECT_THAT(split_response(" \n\t\r\n"), IsEmpty());
  EXPECT_THAT(split_response("-c a.cc\n-o\ta.o \r\n"), ElementsAre("-c", "a.cc", "-o", "a.o"));
}

TEST(SplitResponse, QuotesHoldWordsTogether) {
  EXPECT_THAT(split_response(R"('a b.cc' "c d.cc")"), ElementsAre("a b.cc", "c d.cc"));
  EXPECT_THAT(split_response(R"(-DX='a b'"c d")"), ElementsAre("-DX=a bc d"));
  EXPECT_THAT(split_response(R"('"' "'")"), ElementsAre("\"", "'"));
  EXPECT_THAT(split_response(R"('' x)"), ElementsAre("", "x"));
}

TEST(SplitResponse, BackslashTakesTheNextCharacter) {
  EXPECT_THAT(split_response(R"(a\ b.cc \"x\" '\'' \\)"),
              ElementsAre("a b.cc", "\"x\"", "'", "\\"));
}

TEST(ExpandResponseFiles, WordsKnowTheirArgument) {
  const FileReader read = [](const std::string&) { return std::optional<std::string>("a b"); };
  const std::vector<Word> words = expand_response_files({"-c", "@file", "x"}, read);
  std::vector<size_t> arguments;
  for (const Word& word : words) arguments.push_back(word.argument);
  EXPECT_THAT(arguments, ElementsAre(0, 1, 1, 2));
}

TEST(ExpandResponseFiles, FilesMayNameFiles) {
  EXPECT_THAT(expanded({"@outer", "z"}, {{"outer", "a @inner d"}, {"inner", "b c"}}),
              ElementsAre("a", "b", "c", "d", "z"));
}

TEST(ExpandResponseFiles, AMissingFileIsAnOrdinaryWord) {
  EXPECT_THAT(expanded({"@missing", "@"}, {}), ElementsAre("@missing", "@"));
}

TEST(ExpandResponseFiles, AFileThatNamesItselfEnds) {
  EXPECT_THAT(expanded({"@loop"}, {{"loop", "@loop"}}), ElementsAre("@loop"));
}

TEST(ReadFile, OnlyRegularFilesAreRead) {
  EXPECT_EQ(read_file("/"), std::nullopt);
  EXPECT_EQ(read_file("/dev/null"), std::nullopt);
  EXPECT_EQ(read_file("/no/such/file"), std::nullopt);
  EXPECT_NE(read_file("/etc/passwd"), std::nullopt);
}

}  // namespace
}  // namespace heddle::wrap

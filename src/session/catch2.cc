// Catch2, versions 2 and 3: see framework.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "session/framework.h"

namespace heddle::session {

namespace {

// Options whose value is the next word; whatever else does not begin with a dash selects tests.
constexpr auto kWithValue = std::to_array<std::string_view>({"-o",
                                                             "--out",
                                                             "-r",
                                                             "--reporter",
                                                             "-n",
                                                             "--name",
                                                             "-x",
                                                             "--abortx",
                                                             "-w",
                                                             "--warn",
                                                             "-d",
                                                             "--durations",
                                                             "-D",
                                                             "--min-duration",
                                                             "-c",
                                                             "--section",
                                                             "-v",
                                                             "--verbosity",
                                                             "--order",
                                                             "--rng-seed",
                                                             "--use-colour",
                                                             "--colour-mode",
                                                             "--wait-for-keypress",
                                                             "--benchmark-samples",
                                                             "--benchmark-resamples",
                                                             "--benchmark-confidence-interval",
                                                             "--benchmark-warmup-time"});

// The test spec that means this name: what else means something gets a backslash.
std::string spec_of(const std::string& name) {
  std::string spec;
  for (size_t i = 0; i < name.size(); ++i) {
    bool is_special = std::string_view(",[]\"\\").find(name[i]) != std::string_view::npos;
    if (is_special || (i == 0 && name[i] == '~')) spec += '\\';
    spec += name[i];
  }
  return spec;
}

bool is_version_2(const Program& program) {
  Listing listing = list_with(program, {"--libidentify"});
  constexpr std::string_view kVersion = "version:";
  for (const std::string& line : lines_of(listing.output)) {
    if (!line.starts_with(kVersion)) continue;
    size_t digit = line.find_first_of("0123456789");
    return digit != line.npos && line[digit] == '2';
  }
  throw UserError(
      fmt::format("{} --libidentify does not say that it is a program with tests of Catch2",
                  program.command[0]));
}

// A name that begins with # is quoted.
std::string listed_name(const std::string& line) {
  bool is_quoted = line.size() > 2 && line.starts_with("\"#") && line.ends_with("\"");
  return is_quoted ? line.substr(1, line.size() - 2) : line;
}

// Only what the last line of version 2 ends, a blank one, is no name.
Words names(const Program& program, Words words, bool is_2) {
  if (is_2) {
    words.push_back("--list-test-names-only");
  } else {
    words.insert(words.end(), {"--list-tests", "--verbosity", "quiet"});
  }
  Words names;
  for (const std::string& line : lines_of(list_with(program, words).output)) {
    if (!line.empty()) names.push_back(listed_name(line));
  }
  return names;
}

class Catch2 final : public Framework {
 public:
  const char* verb() const override { return "catch2"; }
  const char* title() const override { return "Catch2"; }

  std::vector<ListedTest> list(const Program& program) const override {
    bool is_2 = is_version_2(program);
    std::vector<ListedTest> tests;
    for (const std::string& name : names(program, arguments_of(program), is_2)) {
      ListedTest test;
      test.name = name;
      test.selection = {spec_of(name)};
      // Else version 3 ends with an error where the test is skipped.
      if (!is_2) test.selection.push_back("--allow-running-no-tests");
      if (names(program, test.selection, is_2) != Words{name}) {
        test.unsuited = "its name selects other tests, too, or none";
      }
      tests.push_back(std::move(test));
    }
    return tests;
  }

  Words arguments_of_one(const Words& typed) const override {
    Words words;
    for (size_t i = 0; i < typed.size(); ++i) {
      const std::string& word = typed[i];
      for (const char* name :
           {"--out", "-o", "--shard-count", "--shard-index", "--list-tests", "-l"}) {
        if (!is_option(word, name)) continue;
        bool is_output = std::string_view("--out -o").find(name) != std::string_view::npos;
        throw UserError(fmt::format(
            "{} {}", name,
            is_output ? "would be obeyed in every execution; leave it out, and type: heddle catch2 "
                        "--junit FILE"
                      : "does not go with heddle catch2, which runs each test by itself"));
      }
      if (word == "-f" || word == "--input-file") {
        ++i;  // names of tests
      } else if (word.starts_with("-")) {
        words.push_back(word);
        bool has_value = std::ranges::find(kWithValue, word) != kWithValue.end();
        if (has_value && i + 1 < typed.size()) words.push_back(typed[++i]);
      }
    }
    return words;
  }

  RanTests look_at(const std::string& output) const override {
    RanTests ran;
    Words lines = lines_of(output);
    for (size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].starts_with("No tests ran") || lines[i].starts_with("No test cases matched")) {
        ran.count = 0;
      }
      if (!lines[i].ends_with(": SKIPPED:")) continue;
      ran.skipped = true;
      for (size_t k = i + 1; k < lines.size() && !lines[k].empty(); ++k) {
        std::string text =
            lines[k].substr(std::min(lines[k].find_first_not_of(' '), lines[k].size()));
        if (text != "explicitly with message:")
          ran.reason += (ran.reason.empty() ? "" : " ") + text;
      }
    }
    return ran;
  }

  Words variables() const override {
    return {"BAZEL_TEST",        "XML_OUTPUT_FILE",  "TESTBRIDGE_TEST_ONLY",
            "TEST_TOTAL_SHARDS", "TEST_SHARD_INDEX", "TEST_SHARD_STATUS_FILE"};
  }
};

}  // namespace

const Framework& catch2_framework() {
  static const Catch2 framework;
  return framework;
}

}  // namespace heddle::session

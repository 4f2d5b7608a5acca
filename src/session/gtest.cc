// GoogleTest: see framework.h.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "options/parse_value.h"
#include "session/framework.h"

namespace heddle::session {

namespace {

// "Stock." or "Typed/0.  # TypeParam = int", "  Name" or "  Works/1  # GetParam() = 2": the name.
// Empty: the line is none of those.
std::string listed_name(std::string line, bool is_group) {
  line = line.substr(0, line.find("  # "));
  if (is_group != line.ends_with('.') || line.starts_with("  ") == is_group) return "";
  line = is_group ? line.substr(0, line.size() - 1) : line.substr(2);
  return line.find_first_of(" \t") == line.npos ? line : "";
}

// In a filter they mean something else.
bool is_plain(const std::string& name) { return name.find_first_of(":*?-") == name.npos; }

bool is_disabled(const ListedTest& test) {
  return test.name.starts_with("DISABLED_") || test.group.starts_with("DISABLED_") ||
         test.group.find("/DISABLED_") != test.group.npos;
}

bool flag_is_on(const Words& words, const std::string& option, const char* variable) {
  const char* value = getenv(variable);
  bool on = value != nullptr && strcmp(value, "0") != 0;
  for (const std::string& word : words) {
    if (!is_option(word, option)) continue;
    std::string given = word.size() > option.size() ? word.substr(option.size() + 1) : "1";
    on = given != "0" && given != "f" && given != "F" && given != "false";
  }
  return on;
}

// As GoogleTest deals tests out: those that would be run, in turn.
struct Shard {
  uint64_t count = 1;
  uint64_t index = 0;
};

Shard shard() {
  const char* count = getenv("GTEST_TOTAL_SHARDS");
  const char* index = getenv("GTEST_SHARD_INDEX");
  if (count == nullptr && index == nullptr) return {};
  if (count == nullptr || index == nullptr) {
    throw UserError("GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX go together; set both, or none");
  }
  try {
    Shard shard;
    shard.count = options::parse_number("GTEST_TOTAL_SHARDS", count, 1, 1'000'000, "2");
    shard.index = options::parse_number("GTEST_SHARD_INDEX", index, 0, shard.count - 1, "0");
    if (const char* status = getenv("GTEST_SHARD_STATUS_FILE")) std::ofstream file(status);
    return shard;
  } catch (const UserError& error) {
    throw UserError(std::string(error.what()).substr(2));  // it is no option
  }
}

class Gtest final : public Framework {
 public:
  const char* verb() const override { return "gtest"; }
  const char* title() const override { return "GoogleTest"; }

  std::vector<ListedTest> list(const Program& program) const override {
    Shard part = shard();
    for (const std::string& name : variables()) {
      if (name != "GTEST_FILTER" && name != "TESTBRIDGE_TEST_ONLY") unsetenv(name.c_str());
    }
    Words words = arguments_of(program);
    words.push_back("--gtest_list_tests");
    Listing listing = list_with(program, words);
    if (listing.status != 0) {
      throw UserError(
          fmt::format("{} --gtest_list_tests ended with status {}; is it a program "
                      "with tests of GoogleTest?",
                      program.command[0], listing.status));
    }
    bool run_disabled =
        flag_is_on(words, "--gtest_also_run_disabled_tests", "GTEST_ALSO_RUN_DISABLED_TESTS");
    uint64_t number = 0;
    std::vector<ListedTest> tests;
    std::string group;
    for (const std::string& line : lines_of(listing.output)) {
      if (std::string name = listed_name(line, true); !name.empty()) group = name;
      std::string name = listed_name(line, false);
      if (name.empty() || group.empty()) continue;
      ListedTest test;
      test.group = group;
      test.name = name;
      test.disabled = !run_disabled && is_disabled(test);
      if (!test.disabled && number++ % part.count != part.index) continue;
      std::string filter = group + "." + name;
      test.selection = {"--gtest_filter=" + filter};
      if (!is_plain(filter)) test.unsuited = "its name has characters that mean more in a filter";
      tests.push_back(std::move(test));
    }
    return tests;
  }

  Words arguments_of_one(const Words& typed) const override {
    // An exception then fails the execution where it is thrown, and so does an assertion: the
    // runtime knows what GoogleTest throws (ending/exceptions.cc).
    Words words = {"--gtest_catch_exceptions=0", "--gtest_throw_on_failure"};
    for (const std::string& word : typed) {
      for (const char* name :
           {"--gtest_output", "--gtest_repeat", "--gtest_list_tests", "--gtest_stream_result_to"}) {
        if (!is_option(word, name)) continue;
        bool is_output = std::string(name) == "--gtest_output";
        throw UserError(fmt::format("{} would be obeyed in every execution; leave it out{}", name,
                                    is_output ? ", and type: heddle gtest --junit FILE" : ""));
      }
      if (!is_option(word, "--gtest_filter")) words.push_back(word);
    }
    return words;
  }

  RanTests look_at(const std::string& output) const override {
    RanTests ran;
    bool in_skip = false;
    for (const std::string& line : lines_of(output)) {
      constexpr std::string_view kRule = "[==========] ";
      if (line.starts_with(kRule) && line.find(" ran.") != line.npos) {
        ran.count = strtoull(line.c_str() + kRule.size(), nullptr, 10);
      }
      if (line.starts_with("[  SKIPPED ]")) ran.skipped = true;
      bool ends = line.starts_with("[");
      if (in_skip && !ends) ran.reason += (ran.reason.empty() ? "" : " ") + line;
      in_skip = line.ends_with(": Skipped") || (in_skip && !ends && !line.empty());
    }
    return ran;
  }

  std::optional<Words> arguments_to_fork() const override {
    return Words{"--gtest_throw_on_failure=0"};
  }

  Words variables() const override {
    return {"GTEST_FILTER",           "GTEST_OUTPUT",    "GTEST_REPEAT",
            "GTEST_SHUFFLE",          "GTEST_BRIEF",     "GTEST_TOTAL_SHARDS",
            "GTEST_SHARD_INDEX",      "GTEST_FAIL_FAST", "GTEST_SHARD_STATUS_FILE",
            "GTEST_STREAM_RESULT_TO", "XML_OUTPUT_FILE", "TEST_PREMATURE_EXIT_FILE",
            "TESTBRIDGE_TEST_ONLY"};
  }
};

}  // namespace

const Framework& gtest_framework() {
  static const Gtest framework;
  return framework;
}

}  // namespace heddle::session

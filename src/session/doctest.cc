// doctest: see framework.h.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/error.h"
#include "session/framework.h"
#include "warnings/xml.h"

namespace heddle::session {

namespace {

// Words of a filter are separated by commas; a comma and a backslash get a backslash.
std::string filter_of(const std::string& name) {
  std::string filter;
  for (char c : name) {
    if (c == ',' || c == '\\') filter += '\\';
    filter += c;
  }
  return filter;
}

struct Case {
  std::string suite;
  std::string name;
  bool operator==(const Case&) const = default;
};

// Options may have the prefix dt-, and one dash or two.
bool is_doctest_option(const std::string& word, std::initializer_list<std::string_view> names) {
  std::string_view rest = word;
  while (rest.starts_with('-')) rest.remove_prefix(1);
  if (rest.size() == word.size()) return false;
  if (rest.starts_with("dt-")) rest.remove_prefix(3);
  std::string_view name = rest.substr(0, rest.find('='));
  return std::ranges::find(names, name) != names.end();
}

std::vector<Case> cases(const Program& program, Words words) {
  words.insert(words.end(), {"--list-test-cases", "--reporters=xml", "--no-colors=true"});
  Listing listing = list_with(program, words);
  size_t begin = listing.output.find("<?xml");
  if (begin == std::string::npos || listing.output.find("<doctest ") == std::string::npos) {
    throw UserError(fmt::format(
        "{} --list-test-cases does not list tests; is it a program with tests of doctest?",
        program.command[0]));
  }
  std::vector<Case> cases;
  warnings::Element root = warnings::parse_xml(std::string_view(listing.output).substr(begin));
  for (const warnings::Element& child : root.children) {
    if (child.name != "TestCase") continue;
    cases.push_back({child.attribute("testsuite"), child.attribute("name")});
  }
  return cases;
}

class Doctest final : public Framework {
 public:
  const char* verb() const override { return "doctest"; }
  const char* title() const override { return "doctest"; }

  std::vector<ListedTest> list(const Program& program) const override {
    Words typed = arguments_of(program);
    std::vector<Case> run = cases(program, typed);
    Words kept = arguments_of_one(typed);
    typed.push_back("--no-skip");
    std::vector<ListedTest> tests;
    for (const Case& one : cases(program, typed)) {
      ListedTest test;
      test.group = one.suite;
      test.name = one.name;
      test.skipped = std::ranges::find(run, one) == run.end();
      test.selection = {"--case-sensitive=true", "--test-case=" + filter_of(one.name)};
      if (!one.suite.empty()) test.selection.push_back("--test-suite=" + filter_of(one.suite));
      Words alone = kept;
      alone.insert(alone.end(), test.selection.begin(), test.selection.end());
      if (!test.skipped && cases(program, alone) != std::vector<Case>{one}) {
        test.unsuited = "its name selects other tests, too, or none";
      }
      tests.push_back(std::move(test));
    }
    return tests;
  }

  Words arguments_of_one(const Words& typed) const override {
    Words words;
    for (const std::string& word : typed) {
      if (is_doctest_option(word, {"out", "o", "count", "c", "list-test-cases", "ltc"})) {
        bool is_output = is_doctest_option(word, {"out", "o"});
        throw UserError(fmt::format("{} would be obeyed in every execution; leave it out{}", word,
                                    is_output ? ", and type: heddle doctest --junit FILE" : ""));
      }
      bool selects = is_doctest_option(
          word, {"test-case", "tc", "test-suite", "ts", "first", "f", "last", "l"});
      if (!selects) words.push_back(word);
    }
    return words;
  }

  RanTests look_at(const std::string& output) const override {
    RanTests ran;
    constexpr std::string_view kCases = "[doctest] test cases: ";
    for (const std::string& line : lines_of(output)) {
      if (line.starts_with(kCases)) ran.count = strtoull(line.c_str() + kCases.size(), nullptr, 10);
    }
    return ran;
  }

  Words variables() const override { return {}; }
};

}  // namespace

const Framework& doctest_framework() {
  static const Doctest framework;
  return framework;
}

}  // namespace heddle::session

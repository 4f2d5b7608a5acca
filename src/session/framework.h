// Test frameworks, as `heddle gtest` and the like need to know them: which tests a program has, how
// one of them is run alone, and what it writes then. One file for each: gtest.cc, catch2.cc,
// doctest.cc.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/program.h"

namespace heddle::session {

using Words = std::vector<std::string>;

struct ListedTest {
  std::string group;
  std::string name;
  bool disabled = false;
  bool skipped = false;  // marked as such in the source
  Words selection;       // arguments that select it, and no other
  std::string unsuited;  // why there are none; else empty
};

// What an execution that passed says of itself.
struct RanTests {
  std::optional<uint64_t> count;  // none: it does not say
  bool skipped = false;
  std::string reason;  // if so
};

class Framework {
 public:
  virtual ~Framework() = default;
  virtual const char* verb() const = 0;   // "gtest"
  virtual const char* title() const = 0;  // "GoogleTest"
  // The tests that the program's arguments ask for. Throws UserError.
  virtual std::vector<ListedTest> list(const Program& program) const = 0;
  // The arguments of a run of one test, without its selection: of those that were typed, what does
  // not select tests. Throws UserError for one that makes no sense in a search.
  virtual Words arguments_of_one(const Words& typed) const = 0;
  virtual RanTests look_at(const std::string& output) const = 0;
  // Further arguments of a test that forks, as death tests do, which is run once without a search.
  // None: the framework has no such tests.
  virtual std::optional<Words> arguments_to_fork() const { return std::nullopt; }
  // Variables of the environment that would change what is run, or write files in every execution.
  virtual Words variables() const = 0;
};

const Framework& gtest_framework();
const Framework& catch2_framework();
const Framework& doctest_framework();

// What the program writes to standard output, run as it is, with these arguments. Throws UserError
// if it cannot be started, does not end, or is ended by a signal.
struct Listing {
  std::string output;
  int status = 0;
};
Listing list_with(const Program& program, const Words& arguments);

// Of arguments, those of the program.
Words arguments_of(const Program& program);
bool is_option(const std::string& word, const std::string& name);  // "--name" or "--name=…"
std::vector<std::string> lines_of(const std::string& text);

}  // namespace heddle::session

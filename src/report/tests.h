// Several searches, each of one test: what `heddle gtest` and the like have to tell; and for CI
// also a single search, which is then a test by itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/summary.h"

namespace heddle::report {

struct Test {
  enum class State : uint8_t {
    searched,
    skipped,   // it said so itself, or is marked so
    disabled,  // by its name
  };
  std::string group;  // "Stock", of GoogleTest; empty: the framework has no such thing
  std::string name;   // "TwoBuyersOneItem"
  State state = State::searched;
  std::string reason;  // why it was skipped; may be empty
  Summary summary;     // if it was searched

  std::string full_name() const { return group.empty() ? name : group + "." + name; }
};

struct Tests {
  std::string framework;             // "gtest"; empty: none
  std::vector<std::string> program;  // with its arguments
  std::vector<Test> all;
  bool interrupted = false;  // before all were searched
  double seconds = 0;
  std::string timestamp;  // when it began: "2024-03-01T12:00:00", in UTC
  std::string root;       // of the project: paths below it are told without it; empty: none
};

// A search that is a test by itself.
Tests tests_of(const Summary& summary, std::string name);

enum class TestVerdict : uint8_t { passed, failed, incomplete, error, skipped, disabled };
TestVerdict verdict_of(const Test& test);
const char* verdict_name(TestVerdict verdict);

// As of `heddle run`: 1 if any test failed.
int exit_code(const Tests& tests);

// The table, and a line with the sums.
std::string tests_text(const Tests& tests, bool color = false);
std::string tests_json(const Tests& tests);

// For CI systems.
std::string junit(const Tests& tests);
std::string sarif(const Tests& tests);
// Lines that GitHub Actions understands, one for each failure; empty: there is none.
std::string github_annotations(const Tests& tests);

// Of a failure, in one line: "data-race: two accesses … (12 steps, 1 preemption)".
std::string failure_in_short(const trace::Finding& finding);
// Below `root` without it; otherwise as it is.
std::string path_from(const std::string& root, const std::string& file);

}  // namespace heddle::report

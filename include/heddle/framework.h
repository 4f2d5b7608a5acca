// What heddle/gtest.h, heddle/catch2.h and heddle/doctest.h have in common.
#pragma once

#include <string>

#include "heddle/heddle.h"

namespace heddle::internal {

struct CheckOutcome {
  bool ok = false;
  bool discarded = false;  // ok, but no execution came to its end
  std::string text;        // the report, if it is not ok
};

// True in executions of run_in_framework.
inline bool g_searching_here = false;

// heddle::check; where the program is under control already, the test is just run.
template <typename Test>
CheckOutcome run_in_framework(Test&& test, const Options& options = {}) {
  if (controlled()) {
    test();
    return {true, false, ""};
  }
  Report report = check(
      [&] {
        g_searching_here = true;
        test();
      },
      options);
  if (!report.ok()) return {false, false, report.text()};
  return {true, report.executions() != 0 && report.discarded() == report.executions(), ""};
}

// A test that skips itself has nothing to be searched.
inline void skip_in_framework() {
  if (g_searching_here) assume(false);
}

}  // namespace heddle::internal

#define HEDDLE_JOIN_INNER_(a, b) a##b
#define HEDDLE_JOIN_(a, b) HEDDLE_JOIN_INNER_(a, b)

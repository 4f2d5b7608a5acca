// What a test framework has printed of an assertion that failed.
//
// Without heddle/gtest.h and the like, all that a search sees of one is the exit code. The words
// are in the output of the execution that is shown.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "trace/finding.h"

namespace heddle::trace {

struct PrintedFailure {
  std::string file;  // as the framework has it; empty: not known
  int line = 0;
  std::string text;  // lines; without an end of line at the end
  std::string test;  // its name, if it stands there
};

// The first one of GoogleTest, Catch2 or doctest.
std::optional<PrintedFailure> printed_failure(std::string_view output);

// "file.cc:12: …": where an assertion's message says that it stands.
struct NamedPlace {
  std::string_view file;
  int line;
};
std::optional<NamedPlace> named_place(std::string_view message);

// Of a program that ended with an exit code, or that failed since a framework has counted failures:
// the framework's words and place, if it has printed any. And of an assertion, the stack from the
// place on that its message names: what lies within is the framework.
void tell_assertion(Finding* finding);

}  // namespace heddle::trace

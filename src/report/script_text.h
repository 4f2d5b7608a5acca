// A finding as a script: C++ that leads the program along the same interleaving, in the language of
// <heddle/scenario.h>. Threads are left at what they are about to do to an object that has a name,
// so that the script survives edits of the code; where there is no name, after so many operations.
//
// How transfers are understood: a thread that was left before an operation performs it when it is
// transferred to again, and only what it comes to after that is compared with the condition.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trace/trace_file.h"

namespace heddle::report {

// What the failure is of, besides its trace.
struct ScriptTest {
  // By name without dashes: the options without which the failure would not be found.
  std::vector<std::pair<std::string, std::string>> options;
  std::string name = "program";  // as it was called
  std::vector<std::string> arguments;
  bool is_check = false;  // a test given to heddle::check, not the program
};

// Needs Finding::turns. Ends with a newline. It is a whole program, but for the body of the test if
// that is not main.
std::string script_text(const trace::TraceFile& found, const ScriptTest& test);

}  // namespace heddle::report

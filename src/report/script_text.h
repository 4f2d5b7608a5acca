// A finding as a script: C++ that leads the program along the same interleaving, in the language of
// <heddle/scenario.h>. Threads are left at what they are about to do to an object that has a name,
// so that the script survives edits of the code; where there is no name, at a line of the source.
//
// How transfers are understood: a thread that was left before an operation performs it when it is
// transferred to again, and only what it comes to after that is compared with the condition.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trace/trace_file.h"

namespace heddle::report {

// By name without dashes: the options without which the failure would not be found.
using ScriptOptions = std::vector<std::pair<std::string, std::string>>;

// Needs Finding::turns. Ends with a newline.
std::string script_text(const trace::TraceFile& found, const ScriptOptions& options);

}  // namespace heddle::report

// Lines to paste that run a failing schedule again, as a test of its own.
#pragma once

#include <string>

#include "session/subject.h"
#include "trace/finding.h"

namespace heddle::session {

// C++ for a test that calls heddle::check, and for a program its command. Ends with a newline;
// empty: the schedule was not saved.
std::string test_to_keep(const Subject& subject, const Options& options,
                         const trace::Finding& finding);

}  // namespace heddle::session

// One failure, for people: what it is, where, who waits for whom, and how it came to it.
#pragma once

#include <string>

#include "report/view.h"
#include "trace/finding.h"

namespace heddle::report {

// `which` is "" or "1 of 3".
std::string failure_text(const trace::Finding& finding, const std::string& which, bool is_replay,
                         const View& view);

// What to type to see it again.
std::string replay_command(const trace::Finding& finding);

// On one line, for failures that are not told in full.
std::string failure_line(const trace::Finding& finding);

// "write of 4 bytes by T2", "freed by T1", "unlock mutex by T1".
std::string witness_words(const trace::Finding& finding, const trace::Witness& witness);

}  // namespace heddle::report

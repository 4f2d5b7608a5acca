// "The last moments": the last steps of a failing execution, by thread, with the reason of every
// switch. Of one that does not end: the steps of one round of its cycle.
#pragma once

#include <string>

#include "report/style.h"
#include "trace/finding.h"

namespace heddle::report {

// A table with a column for each thread; one line for each step, tagged with its thread, where that
// gets too wide. Empty if no steps are known.
std::string last_moments(const trace::Finding& finding, const Paint& paint);

}  // namespace heddle::report

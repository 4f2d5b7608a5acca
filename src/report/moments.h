// How it came to the failure: the steps that matter, by thread, with the reason of every switch. Of
// an execution that does not end: the way to its cycle, and the steps of one round.
#pragma once

#include <string>

#include "report/view.h"
#include "trace/finding.h"

namespace heddle::report {

// Empty if no steps are known.
std::string moments_text(const trace::Finding& finding, const View& view);

}  // namespace heddle::report

// All steps of an execution, as JSON.
#pragma once

#include <string>

#include "trace/timeline.h"

namespace heddle::report {

// An array, with a line for each step. There may be millions: no tree is made of it.
std::string json_trace(const trace::Timeline& timeline);

}  // namespace heddle::report

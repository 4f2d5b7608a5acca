// The worker looks at an execution itself, where the search has asked for that: for races to
// reverse (causality/lessons.h), or for other ways to go and what partial order says of them
// (causality/prospects.h). The engine, which is one for all workers, then has little to do for each
// execution, however long.
#pragma once

#include <span>

#include "wire/layout.h"

namespace heddle::runtime {

// What there is to tell of the execution that has ended, in the place of its steps: the result says
// so then. Empty: nothing, and the result is as it was.
std::span<const char> tell(wire::Result* result);

}  // namespace heddle::runtime

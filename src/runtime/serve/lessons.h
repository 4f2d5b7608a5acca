// The worker looks for races to reverse itself (causality/lessons.h), where the search has asked
// for that: the engine, which is one for all workers, then has little to do for each execution,
// however long.
#pragma once

#include <span>

#include "wire/layout.h"

namespace heddle::runtime {

// The lessons of the execution that has ended, in the place of its steps: the result says so then.
// Empty: there are none, and the result is as it was.
std::span<const char> tell_lessons(wire::Result* result);

}  // namespace heddle::runtime

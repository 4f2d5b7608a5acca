// The cycle of an execution that does not end: the sequence of steps that it repeats.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "wire/layout.h"

namespace heddle::trace {

struct Repetition {
  uint32_t begin = 0;   // the step from which on the steps repeat
  uint32_t length = 0;  // in steps
  uint32_t repeats =
      0;  // whole times, from `begin` to the end; the end may be in the middle of one
};

inline constexpr uint32_t kLeastRepeats = 3;

// The shortest sequence that the steps repeat to their end, over as many of them as any; nothing if
// none is there kLeastRepeats times. Two steps are the same if thread, operation, outcome, object
// and place are; where nothing repeats so, the objects may differ: a loop may take new memory each
// time. Takes time in proportion to the steps.
std::optional<Repetition> find_cycle(std::span<const wire::Step> steps);

}  // namespace heddle::trace

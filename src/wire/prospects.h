// What an execution shows to a search that prunes nothing and orders by partial order, in the place
// of its steps: where it could have gone another way, and what a reduction would say to that. The
// worker has looked itself (causality/prospects.h).
//
// Behind the Result follow: Prospects, `fork_count` Prospect by rising step, and the Ways of all of
// them: of each, from option 1 on.
#pragma once

#include <cstdint>

#include "wire/layout.h"

namespace heddle::wire {

struct Prospects {
  uint32_t fork_count;
  uint32_t way_count;
  uint32_t preemptions;  // before the first step that was looked at
  uint32_t held_back;    // 1: there were ways that the bound on preemptions does not permit
};
static_assert(sizeof(Prospects) % 8 == 0);

// A step that had more than one option within the bound.
struct Prospect {
  uint32_t step;
  uint32_t check;         // wire::Step::check
  uint32_t preemptions;   // before it
  uint16_t options;       // within the bound
  uint16_t free_options;  // as in wire::Step
  uint16_t choice;
  uint16_t unused;
  uint32_t unused_too;
};
static_assert(sizeof(Prospect) % 8 == 0);

// The lower bits are a causality::Worth; kAsleep: sleep sets would leave it out, and it is a
// preemption.
using Way = uint8_t;
inline constexpr Way kWorthMask = 3;
inline constexpr Way kAsleep = 4;

}  // namespace heddle::wire

// ss: what sleep sets would not leave out first (gambit, section 4.1). A switch that is no
// preemption is never deferred: within a bound it opens what cannot be reached otherwise (section
// 4.5).
#pragma once

#include "explore/priority/priority.h"

namespace heddle::explore {

class Awake final : public Priority {
 public:
  int32_t of(const Candidate& candidate) override { return candidate.asleep ? 1 : 0; }
};

}  // namespace heddle::explore

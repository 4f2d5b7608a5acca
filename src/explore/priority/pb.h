// pb: fewer preemptions first.
#pragma once

#include "explore/priority/priority.h"

namespace heddle::explore {

class FewPreemptions final : public Priority {
 public:
  int32_t of(const Candidate& candidate) override {
    return static_cast<int32_t>(candidate.preemptions);
  }
};

}  // namespace heddle::explore

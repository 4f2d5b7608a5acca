// dpor: what dynamic partial-order reduction would run first, all else later (gambit, section 4.1);
// in a bounded search, what it may come to after that (causality/conflicts.h) between the two.
#pragma once

#include "explore/priority/priority.h"

namespace heddle::explore {

class Reversals final : public Priority {
 public:
  int32_t of(const Candidate& candidate) override {
    switch (candidate.worth) {
      case causality::Worth::none:
        return 2;
      case causality::Worth::conflicts:
        return 1;
      default:
        return 0;
    }
  }
};

}  // namespace heddle::explore

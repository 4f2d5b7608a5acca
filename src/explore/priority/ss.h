// ss: what sleep sets would not leave out first (gambit, section 4.1). A switch that is no
// preemption is never deferred: within a bound it opens what cannot be reached otherwise (section
// 4.5).
#pragma once

#include "explore/priority/partial_order.h"
#include "explore/priority/priority.h"

namespace heddle::explore {

class Awake final : public Priority {
 public:
  explicit Awake(PartialOrder* order) : order_(order) {}

  int32_t of(const Candidate& candidate) override {
    if (candidate.by_reduction || !candidate.preempts) return 0;
    return order_->is_asleep(candidate.step, candidate.thread) ? 1 : 0;
  }

 private:
  PartialOrder* order_;  // null in a search with reduction
};

}  // namespace heddle::explore

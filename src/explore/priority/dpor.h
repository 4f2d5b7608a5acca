// dpor: what dynamic partial-order reduction would run first, all else later (gambit, section 4.1);
// in a bounded search, what it may come to after that (conflicts.h) between the two.
#pragma once

#include "explore/priority/partial_order.h"
#include "explore/priority/priority.h"

namespace heddle::explore {

class Reversals final : public Priority {
 public:
  explicit Reversals(const PartialOrder* order) : order_(order) {}

  int32_t of(const Candidate& candidate) override {
    if (candidate.by_reduction) return 0;
    switch (order_->worth(candidate.step, candidate.thread)) {
      case PartialOrder::Worth::none:
        return 2;
      case PartialOrder::Worth::conflicts:
        return 1;
      default:
        return 0;
    }
  }

 private:
  const PartialOrder* order_;  // null in a search with reduction
};

}  // namespace heddle::explore

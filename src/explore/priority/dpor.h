// dpor: what dynamic partial-order reduction would run first, all else later (gambit, section 4.1).
#pragma once

#include "explore/priority/partial_order.h"
#include "explore/priority/priority.h"

namespace heddle::explore {

class Reversals final : public Priority {
 public:
  explicit Reversals(const PartialOrder* order) : order_(order) {}

  int32_t of(const Candidate& candidate) override {
    if (candidate.by_reduction) return 0;
    return order_->worth(candidate.step, candidate.thread) == PartialOrder::Worth::none ? 1 : 0;
  }

 private:
  const PartialOrder* order_;  // null in a search with reduction
};

}  // namespace heddle::explore

// mdpor: dpor, but what reduction adds only to be on the safe side is deferred: switches before an
// operation that only sets something free, and to a thread that may turn out not to be able to go
// (gambit, section 4.1). Source sets never have to add all enabled threads, which the paper defers
// as well.
#pragma once

#include "explore/priority/priority.h"

namespace heddle::explore {

class SureReversals final : public Priority {
 public:
  int32_t of(const Candidate& candidate) override { return static_cast<int32_t>(candidate.worth); }
};

}  // namespace heddle::explore

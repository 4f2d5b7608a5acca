// Evidence and notes, copied out of regions. What is read is checked: the program under test may
// have written over all of it.
#pragma once

#include <optional>
#include <vector>

#include "pool/outcome.h"
#include "pool/plan.h"
#include "pool/shared_region.h"
#include "trace/evidence.h"

namespace heddle::pool {

trace::Modules copy_modules(const wire::Region& region);

// Null if the region holds no details of this execution.
std::optional<trace::Details> copy_details(const wire::Detail& detail,
                                           const trace::Execution& execution);

// With the output, if the plan asked for details.
trace::Evidence copy_evidence(const SharedRegion& region, const Plan& plan, const Outcome& outcome);

// What all executions of a worker, and of those before it, have left beside their results.
struct Notes {
  trace::Modules modules;
  std::vector<wire::FoundPlace> idle;  // where threads went on without a yield
  uint32_t unvaried = 0;               // wire::Unvaried
};
Notes copy_notes(const SharedRegion& region);

}  // namespace heddle::pool

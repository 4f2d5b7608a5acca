// The one interface of all strategies: which schedule next, and what an execution teaches.
//
// A strategy is a file of its own, listed in strategies.cc. It must be deterministic: the driver
// (search.cc) calls it in an order that depends neither on time nor on the number of workers. It
// runs once for each execution, up to a million times a second: no allocation for each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pool/plan.h"
#include "trace/execution.h"

namespace heddle::explore {

struct TreeStatistics {
  uint64_t nodes_created = 0;
  uint64_t nodes_peak = 0;
  uint64_t bytes_peak = 0;
  uint64_t uncompressed_bytes_peak = 0;  // had each node its whole schedule, one byte for each step
};

class Strategy : public pool::Planner {
 public:
  // The next schedule to run; nullopt: none at the moment, or none any more.
  virtual std::optional<pool::Plan> next() = 0;

  // The execution of a plan that next() gave out. Called once for each, in the order of next().
  virtual void executed(const pool::Plan& plan, const trace::Execution& execution) = 0;

  // Everything that the strategy sets out to cover has been executed.
  virtual bool complete() const = 0;

  virtual TreeStatistics statistics() const { return {}; }
};

}  // namespace heddle::explore

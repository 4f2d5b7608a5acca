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

#include "explore/bytes.h"
#include "pool/plan.h"
#include "trace/execution.h"

namespace heddle::explore {

// The search tree and the fringe at one time.
struct TreeSample {
  uint64_t executions = 0;  // so far
  uint64_t nodes_created = 0;
  uint64_t alive = 0;  // nodes, and schedules that wait
  uint64_t bytes = 0;  // that these take in memory
  // Of the tree of partial schedules that these stand for (tree_history.h); not always counted.
  std::optional<uint64_t> uncompressed_bytes;
};

struct TreeStatistics {
  uint64_t nodes_created = 0;
  uint64_t nodes_peak = 0;               // alive, with the schedules that wait
  uint64_t bytes_peak = 0;               // in memory
  uint64_t spilled_bytes_peak = 0;       // on disk
  uint64_t uncompressed_bytes_peak = 0;  // of the samples, also of those that were left out
  std::vector<TreeSample> samples;
};

class Strategy : public pool::Planner {
 public:
  // The next schedule to run; nullopt: none at the moment, or none any more.
  virtual std::optional<pool::Plan> next() = 0;

  // The execution of a plan that next() gave out. Called once for each, in the order of next().
  virtual void executed(const pool::Plan& plan, const trace::Execution& execution) = 0;

  // Everything that the strategy sets out to cover has been executed.
  virtual bool complete() const = 0;

  // It learns from what threads would have done next: an execution of which that was lost with its
  // worker leaves a gap.
  virtual bool needs_pending() const { return false; }

  virtual TreeStatistics statistics() const { return {}; }

  // All that the strategy has learnt and has to remember (bytes.h). Plans that are under way are
  // kept by the driver: after load() they are as if next() had given them out.
  virtual void save(ByteWriter& out) const = 0;
  virtual void load(ByteReader& in) = 0;
};

}  // namespace heddle::explore

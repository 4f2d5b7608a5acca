// Complete enumeration, depth first, within a bound on preemptions and on depth.
//
// An execution's successors: for each step after the node's own, each option that was not taken
// there. The options at the steps before belong to its ancestors. So every schedule is made once,
// by the ancestor with which it shares all but its last decision, and the number of executions is
// the number of schedules: no pruning.
#pragma once

#include <vector>

#include "explore/execution_tree.h"
#include "explore/strategies.h"

namespace heddle::explore {

class DepthFirst final : public Strategy {
 public:
  explicit DepthFirst(const StrategyOptions& options);

  std::optional<pool::Plan> next() override;
  void executed(const pool::Plan& plan, const trace::Execution& execution) override;
  bool complete() const override { return tree_.alive() == 0; }
  void write_decisions(const pool::Plan& plan, wire::Decision* out) const override;
  TreeStatistics statistics() const override;

 private:
  ExecutionTree tree_;
  std::vector<uint32_t> fringe_;  // nodes to run; last in, first out
  uint64_t fringe_peak_ = 0;
  uint32_t bound_;  // on preemptions
  uint32_t depth_;
};

}  // namespace heddle::explore

#include "explore/depth_first.h"

#include <algorithm>

namespace heddle::explore {

DepthFirst::DepthFirst(const StrategyOptions& options)
    : bound_(std::min(options.preemptions.value_or(ExecutionTree::kMaxPreemptions + 1),
                      ExecutionTree::kMaxPreemptions + 1)),
      depth_(options.depth.value_or(wire::kNoStep)) {
  fringe_.push_back(tree_.add_root());
}

std::optional<pool::Plan> DepthFirst::next() {
  if (fringe_.empty()) return std::nullopt;
  uint32_t index = fringe_.back();
  fringe_.pop_back();
  const Node& node = tree_[index];
  pool::Plan plan;
  plan.token = index;
  plan.flags = wire::kWantSteps;
  plan.first_step = node.step + 1;
  plan.check_step = node.step;
  plan.check = node.check;
  plan.decision_count = node.decisions;
  return plan;
}

void DepthFirst::executed(const pool::Plan& plan, const trace::Execution& execution) {
  uint32_t index = static_cast<uint32_t>(plan.token);
  uint32_t preemptions = tree_[index].preemptions;
  uint32_t first = execution.result.first_step;
  uint32_t begin = std::max(tree_[index].step + 1, first);
  uint32_t end = std::min(execution.result.step_count, depth_);
  // By rising step, and by falling choice: the fringe then gives the deepest first, and its choices
  // in order.
  for (uint32_t i = begin; i < end; ++i) {
    const wire::Step& step = execution.steps[i - first];
    uint32_t options = step.options;
    uint32_t free_options = step.free_options;
    uint32_t taken = step.choice;
    uint32_t limit = preemptions < bound_ ? options : std::min(options, free_options);
    for (uint32_t choice = limit; choice-- > 1;) {
      if (choice == taken) continue;
      uint32_t cost = choice >= free_options ? 1 : 0;
      fringe_.push_back(tree_.add(index, i, step.check, choice,
                                  std::min(preemptions + cost, ExecutionTree::kMaxPreemptions)));
    }
    if (taken >= free_options && preemptions < ExecutionTree::kMaxPreemptions) ++preemptions;
  }
  fringe_peak_ = std::max<uint64_t>(fringe_peak_, fringe_.size());
  tree_.executed(index);
}

void DepthFirst::write_decisions(const pool::Plan& plan, wire::Decision* out) const {
  tree_.write_decisions(static_cast<uint32_t>(plan.token), out);
}

TreeStatistics DepthFirst::statistics() const {
  TreeStatistics statistics = tree_.statistics();
  statistics.bytes_peak += fringe_peak_ * sizeof(uint32_t);
  return statistics;
}

}  // namespace heddle::explore

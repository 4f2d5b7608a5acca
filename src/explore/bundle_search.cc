#include "explore/bundle_search.h"

#include "explore/staged_search.h"

namespace heddle::explore {

namespace {

StrategyOptions depth_first(StrategyOptions options) {
  options.order.clear();
  options.user = nullptr;
  options.bound_by_bound = false;
  options.samplers.clear();
  options.shard = {};
  return options;
}

}  // namespace

BundleSearch::BundleSearch(const StrategyOptions& options, const Bundle& subtrees,
                           uint64_t executions)
    : options_(options),
      search_(depth_first(options), subtrees),
      nodes_before_(search_.statistics().nodes_created),
      plans_left_(executions) {}

std::optional<pool::Plan> BundleSearch::next() {
  if (plans_left_ == 0) return std::nullopt;
  std::optional<pool::Plan> plan = search_.next();
  if (plan) --plans_left_;
  return plan;
}

void BundleSearch::learn(const pool::Plan& plan, causality::Observation& observation) {
  ++executions_;
  if (options_.bound_by_bound) {
    uint32_t preemptions = observation.preemptions();
    if (by_preemptions_.size() <= preemptions) by_preemptions_.resize(preemptions + size_t{1});
    ++by_preemptions_[preemptions];
  }
  search_.learn(plan, observation);
}

std::vector<Stage> BundleSearch::stages() const {
  std::vector<Stage> stages;
  for (uint32_t bound = 0; bound < by_preemptions_.size(); ++bound) {
    if (by_preemptions_[bound] == 0) continue;
    Stage stage = stage_within(options_, bound);
    stage.executions = by_preemptions_[bound];
    stages.push_back(std::move(stage));
  }
  if (!options_.bound_by_bound && executions_ != 0) {
    stages.push_back(stage_within(options_, std::nullopt));
    stages.back().executions = executions_;
  }
  return stages;
}

std::string BundleSearch::stage_of(const pool::Plan&) const { return ""; }

TreeStatistics BundleSearch::statistics() const {
  TreeStatistics all = search_.statistics();
  all.nodes_created -= nodes_before_;
  return all;
}

}  // namespace heddle::explore

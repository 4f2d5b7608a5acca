// A search that goes from small to large: first the schedules with few preemptions, bound by bound,
// where most bugs are; then all of them.
//
// It is made of searches, each from its beginning. One that goes bound by bound counts as a stage
// for each bound. A search that covers more than the one before is left out if nothing was held
// back by that one's bound: then all is covered already. The next begins when nothing of the one
// before is under way, so a plan is always one of the search that runs.
#pragma once

#include <chrono>

#include "explore/strategies.h"
#include "trace/execution.h"

namespace heddle::explore {

class StagedSearch final : public Strategy {
 public:
  using Make = std::unique_ptr<Strategy> (*)(const StrategyOptions& options);

  // One search for each of the options, in their order.
  StagedSearch(const std::vector<StrategyOptions>& searches, Make make);

  // Its searches are of one kind, and have the same.
  uint32_t lag() const override { return search_->lag(); }
  std::optional<pool::Plan> next() override;
  void learn(const pool::Plan& plan, causality::Observation& observation) override;
  bool complete() const override { return search_->complete() && !needs_next(); }
  bool needs_pending() const override { return search_->needs_pending(); }
  bool held_back() const override { return search_->held_back(); }
  std::vector<Stage> stages() const override;
  std::optional<Remaining> remaining() const override;
  uint64_t waiting() const override { return search_->waiting(); }
  std::optional<Range> remaining_in_stage() const override { return search_->remaining_in_stage(); }
  TreeStatistics statistics() const override;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;
  bool knows(const pool::Plan& plan) const override { return search_->knows(plan); }
  void write_decisions(const pool::Plan& plan, wire::Decision* out) const override {
    search_->write_decisions(plan, out);
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool needs_next() const { return number_ + 1 < searches_.size() && search_->held_back(); }
  void begin_stage();
  void end_stage();
  Stage with_figures(Stage stage) const;

  const std::vector<StrategyOptions> searches_;
  const Make make_;
  size_t number_ = 0;  // of the search that runs
  std::unique_ptr<Strategy> search_;
  std::vector<Stage> stages_;  // the last is under way, without its figures
  uint64_t executions_ = 0;
  uint64_t executions_before_ = 0;  // the stage that is under way
  uint64_t executions_before_search_ = 0;
  bool has_gap_ = false;  // an execution did not show all that could come after it
  Clock::time_point stage_begin_;
  TreeStatistics statistics_;  // of the searches before
};

}  // namespace heddle::explore

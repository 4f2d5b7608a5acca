// A search that goes from small to large: the schedules with few preemptions, bound by bound, where
// most bugs are; and all of them.
//
// It is made of two searches, each from its beginning. The first goes within a bound, and counts as
// a stage for each bound; the last covers everything. It is left out if the first is complete and
// its bound has held nothing back: then all is covered already.
//
// The last one begins when the first is complete. If it reduces, it does not wait for that: where
// there are many threads there may be more orders of them without a preemption than anybody will
// ever run, and yet few classes of equivalent executions. So when the first has run for a while the
// two take turns, and whichever covers everything ends both.
#pragma once

#include <chrono>

#include "explore/strategies.h"
#include "trace/execution.h"

namespace heddle::explore {

// A stage of a search with these options, before its first execution: all schedules with so many
// preemptions at most.
Stage stage_within(const StrategyOptions& options, std::optional<uint32_t> preemptions);

class StagedSearch final : public Strategy {
 public:
  using Make = std::unique_ptr<Strategy> (*)(const StrategyOptions& options);

  // After so many executions of the first search, or so many steps of them, one that reduces begins
  // beside it. Of one that is divided, not before the common executions are done: who ends the
  // search may differ from part to part, and what is common may not.
  static constexpr uint64_t kExecutionsAlone = 2'048;
  static constexpr uint64_t kStepsAlone = 500'000;

  // One search for each of the options: one or two.
  StagedSearch(const std::vector<StrategyOptions>& searches, Make make);

  // Its searches are of one kind, and have the same.
  uint32_t lag() const override { return first_.search->lag(); }
  std::optional<pool::Plan> next() override;
  void learn(const pool::Plan& plan, causality::Observation& observation) override;
  void learn_subtree(const pool::Plan& plan, const causality::Subtree& subtree) override;
  bool complete() const override;
  bool needs_pending(const pool::Plan& plan) const override;
  bool held_back() const override { return latest().search->held_back(); }
  bool is_common(const pool::Plan& plan) const override;
  bool is_divided() const override { return latest().search->is_divided(); }
  std::vector<Stage> stages() const override;
  std::string stage_of(const pool::Plan& plan) const override;
  std::optional<Remaining> remaining() const override;
  uint64_t waiting() const override { return latest().search->waiting(); }
  std::optional<Range> remaining_in_stage() const override;
  TreeStatistics statistics() const override;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;
  bool knows(const pool::Plan& plan) const override;
  void write_decisions(const pool::Plan& plan, wire::Decision* out) const override;

 private:
  using Clock = std::chrono::steady_clock;

  struct Part {
    std::unique_ptr<Strategy> search;  // null: not begun
    uint64_t executions = 0;
    uint64_t steps = 0;
    uint64_t common = 0;   // of the executions: those that all parts of the search run
    bool has_gap = false;  // an execution did not show all that could come after it
    // Those of it, the last without its figures while it is under way.
    std::vector<Stage> stages;
    uint64_t executions_before = 0;  // that stage
    uint64_t common_before = 0;      // likewise
    Clock::time_point begin;         // of it
    bool is_closed = false;          // it has run, and is complete; the last stage has its figures

    void begin_stage(const StrategyOptions& options);
    Stage last_stage() const;  // with its figures so far
  };

  static void close_if_complete(Part* part);
  const Part& latest() const { return last_.search ? last_ : first_; }
  // The one whose plan it is.
  const Part& part_of(const pool::Plan& plan) const;

  // All is covered by the first search. Whether its bound has held anything back is known of the
  // whole alone: where others have a part of it, the last one is run.
  bool first_is_enough() const {
    return !first_.search->held_back() && !first_.search->is_divided();
  }
  bool last_is_due() const;
  std::optional<pool::Plan> next_of_first();
  std::optional<pool::Plan> next_of_last();

  const std::vector<StrategyOptions> searches_;
  const Make make_;
  Part first_;
  Part last_;
  uint64_t executions_before_last_ = 0;  // of the first
  int64_t lasts_due_ = 0;                // executions of the first beside it, less its own
};

}  // namespace heddle::explore

// Unbounded search with dynamic partial-order reduction and sleep sets, in any order of the fringe
// (gambit, section 3.3, FindDporBacktrackingPoints).
//
// From each execution's races (races.h) it learns what else is to be run: at the race's earlier
// step a thread that leads to the race being reversed. That step may belong to an ancestor; then so
// does the new schedule. Where one of the threads that would do has been added already, or sleeps,
// nothing is added.
//
// Guaranteed, when the search is complete: of each class of equivalent executions (the same
// happens-before) one has been run. Runs that are cut short as redundant come beside them. The
// argument is that of source sets, which orders the subtrees of a state by the order in which they
// are explored. Nothing in it needs that order to be the order in time: siblings are ordered by
// when they were added, each passes over what the earlier ones begin with, and all of them are run
// sooner or later.
//
// A departure from the paper: source sets instead of persistent sets (see races.h).
#pragma once

#include <vector>

#include "explore/execution_tree.h"
#include "explore/fringe.h"
#include "explore/memory_bound.h"
#include "explore/order.h"
#include "explore/reduction/backtrack_lists.h"
#include "explore/reduction/races.h"
#include "explore/strategies.h"
#include "explore/tree_history.h"

namespace heddle::explore {

class ReducedSearch final : public Strategy {
 public:
  explicit ReducedSearch(const StrategyOptions& options);

  std::optional<pool::Plan> next() override;
  void executed(const pool::Plan& plan, const trace::Execution& execution) override;
  bool complete() const override { return tree_.alive() == 0; }
  bool needs_pending() const override { return true; }
  void write_decisions(const pool::Plan& plan, wire::Decision* out) const override;
  TreeStatistics statistics() const override;

 private:
  // A schedule to be: at a step of the execution that is looked at, another thread or outcome.
  struct Addition {
    uint32_t owner;
    uint32_t step;
    uint32_t thread;
    uint32_t outcome;
    uint32_t place;  // in the list of the step: so many threads before it
    bool conservative;
  };

  // In Node::extra and Entry::extra. Node::choice is the thread + 1.
  static constexpr uint32_t kMaxPlace = 255;
  static uint16_t pack(uint32_t place, uint32_t outcome) {
    return static_cast<uint16_t>(std::min(place, kMaxPlace) << 8 | outcome);
  }
  static uint32_t place_of(const Node& node) { return node.extra >> 8; }
  static uint32_t outcome_of(const Node& node) { return node.extra & 0xff; }

  uint32_t sleepers(const Node& node) const;
  void find_path(uint32_t index);
  void find_lists(const trace::Execution& execution);
  void find_sleepers(const trace::Execution& execution);
  void add_outcomes(uint32_t index, const trace::Execution& execution);
  void reverse(const Race& race);
  uint32_t owner_of(uint32_t step) const;
  void push(const trace::Execution& execution);
  void release(uint32_t index);

  ExecutionTree tree_;
  Fringe fringe_;
  Order order_;
  TreeHistory history_;
  MemoryBound memory_;
  BacktrackLists lists_;
  Races races_;
  bool sleep_sets_;
  bool root_is_due_ = true;
  uint64_t list_bytes_peak_ = 0;

  // Of the execution that is looked at.
  std::vector<uint32_t> path_;                // its node and the ancestors, from the root
  std::vector<uint32_t> list_at_;             // by step
  std::vector<uint64_t> asleep_at_;           // threads, by step
  std::vector<uint32_t> preemptions_before_;  // by step
  std::vector<Addition> additions_;
};

}  // namespace heddle::explore

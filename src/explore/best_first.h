// Complete enumeration in any order, within bounds on preemptions, delays and depth (gambit,
// section 3.3). Without an order it is depth-first search.
//
// An execution's successors: for each step after the node's own, each option that was not taken
// there (FindBacktrackingPoints). The options at the steps before belong to its ancestors. So every
// schedule is made once, by the ancestor with which it shares all but its last decision, and the
// number of executions is the number of schedules, in whatever order: no pruning.
//
// Bound by bound, all schedules with fewer preemptions come before those with more: those with more
// wait until nothing is under way. A successor has as many preemptions as its parent or more, so
// the fringe then knows that a bound is complete.
#pragma once

#include "explore/cut.h"
#include "explore/frontier.h"
#include "explore/order.h"
#include "explore/state_matcher.h"
#include "explore/strategies.h"
#include "explore/subtrees.h"
#include "explore/tree_estimate.h"
#include "wire/observation.h"

namespace heddle::explore {

class BestFirst final : public Strategy {
 public:
  explicit BestFirst(const StrategyOptions& options);
  // Of subtrees that another search has left over, depth first; none: of all, from the root.
  BestFirst(const StrategyOptions& options, const Bundle& subtrees);

  // What waits; nothing is under way.
  Bundle left_over() const { return take_out(frontier_.tree(), frontier_.fringe()); }

  std::optional<pool::Plan> next() override;
  void learn(const pool::Plan& plan, causality::Observation& observation) override;
  void learn_subtree(const pool::Plan& plan, const causality::Subtree& subtree) override;
  bool complete() const override { return frontier_.is_complete() && subtrees_.empty(); }
  bool held_back() const override { return held_back_; }
  std::optional<uint32_t> bound() const override;
  bool bound_is_complete() const override;
  void write_decisions(const pool::Plan& plan, wire::Decision* out) const override;
  std::optional<Remaining> remaining() const override;
  uint64_t waiting() const override {
    return frontier_.waiting() + cut_.size() + subtrees_.schedules();
  }
  bool is_common(const pool::Plan&) const override { return cut_.is_open(); }
  bool is_divided() const override { return is_divided_; }
  std::optional<Range> remaining_in_stage() const override;
  std::optional<Matching> matching() const override {
    return matches_ ? std::optional(matcher_.matching()) : std::nullopt;
  }
  TreeStatistics statistics() const override { return frontier_.statistics(); }
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;
  bool knows(const pool::Plan& plan) const override;

 private:
  // Of what waits; not where nothing does.
  uint32_t best_bound() const {
    return static_cast<uint32_t>(cut_.is_open() ? cut_.best_bound()
                                                : frontier_.fringe().best_key()[0]);
  }
  bool best_is_within_bound() const { return best_bound() <= bound_; }
  bool nothing_waits() const { return cut_.is_open() ? cut_.empty() : frontier_.fringe().empty(); }
  void push(const Key& key, const Entry& entry) {
    if (!cut_.is_open()) return frontier_.fringe().push(key, entry);
    cut_.push(bound_by_bound_ ? key[0] : 0, key, entry);
  }
  void divide();

  bool subtree_is_due() const;
  std::optional<pool::Plan> next_subtree();
  void graft(const Subtrees::Unit& unit);
  std::optional<Range> less_subtrees(std::optional<Range> range) const;

  uint32_t flags() const;
  pool::Plan usual_plan() const;
  pool::Plan plan_of(const Entry& entry);
  void add_successors(uint32_t index, const causality::Observation& observation);
  uint32_t delays_permit(uint32_t options, uint32_t extra) const;

  // Tells the estimate of the successors that an execution has at a step: of its options, all but
  // the one that it took.
  void count_successors(const wire::Branch& branch, uint32_t level);

  // The successors at one branch: neighbouring choices of equal priority share an entry.
  void add(uint32_t index, const wire::Branch& branch, std::span<const wire::Way> ways,
           std::span<const uint16_t> threads);
  Key key_of(const wire::Branch& branch, uint32_t choice, wire::Way way,
             std::span<const uint16_t> threads);

  // Of a successor, by its parent's.
  uint32_t extra_of(uint32_t parents, uint32_t choice) const;

  // Node::extra: with a bound on delays, those of the schedule; else the number of its decisions,
  // where it is below kMany.
  Frontier frontier_;
  Order order_;
  TreeEstimate estimate_;
  bool held_back_ = false;
  bool bound_by_bound_;  // then the fringe's first key is the number of preemptions
  uint32_t bound_ = 0;   // of what is run now
  uint32_t preemption_bound_;
  uint32_t delay_bound_;  // kNoBound, or at most 65535
  uint32_t depth_;
  bool is_shard_;            // the search is one of several parts
  Cut cut_;                  // of a search that is one of several parts
  bool is_divided_ = false;  // … and the other parts have some of what waited
  bool matches_;             // stops where it has been before
  StateMatcher matcher_;
  Subtrees subtrees_;
  uint64_t since_estimate_ =
      0;  // executions since the first of them was handed out, outside of them
};

}  // namespace heddle::explore

// Unbounded search with dynamic partial-order reduction and sleep sets, in any order of the fringe
// (gambit, section 3.3, FindDporBacktrackingPoints).
//
// From each execution's races (causality/races.h) it learns what else is to be run: at the race's
// earlier step a thread that leads to the race being reversed. That step may belong to an ancestor;
// then so does the new schedule. Where one of the threads that would do has been added already, or
// sleeps, nothing is added. The new schedule does not leave it to the default how to go on: it has
// wishes, the sequence that reverses the race. Without them many runs would come to an end where
// all that is left sleeps. A wish is a node of the tree like any other, but it is not executed for
// itself.
//
// Guaranteed, when the search is complete: of each class of equivalent executions (the same
// happens-before) one has been run. Runs that are cut short as redundant come beside them. The
// argument is that of source sets, which orders the subtrees of a state by the order in which they
// are explored. Nothing in it needs that order to be the order in time: siblings are ordered by
// when they were added, each passes over what the earlier ones begin with, and all of them are run
// sooner or later.
//
// One of several parts of a search does not begin with races: see prefixes.h.
//
// A departure from the paper: source sets instead of persistent sets (see causality/races.h), and
// wishes.
//
// Under a test script (runtime/filter/scenario.h) reduction is among the choices that the script
// leaves to its threads, in Script::interleave(). Where it decides itself who goes, it may have
// looked at the state before, so that no two interleavings are equivalent to it: there all threads
// that can go are added (add_alternative). A transfer depends on everything, so that no race is
// across one.
//
// What there is to learn of an execution comes as an observation (causality/observation.h), whoever
// has looked for its races.
#pragma once

#include <vector>

#include "causality/observation.h"
#include "explore/frontier.h"
#include "explore/order.h"
#include "explore/reduction/backtrack_lists.h"
#include "explore/reduction/prefixes.h"
#include "explore/strategies.h"

namespace heddle::explore {

class ReducedSearch final : public Strategy {
 public:
  explicit ReducedSearch(const StrategyOptions& options);

  std::optional<pool::Plan> next() override;
  void learn(const pool::Plan& plan, causality::Observation& observation) override;
  bool complete() const override { return frontier_.is_complete(); }
  bool needs_pending(const pool::Plan&) const override { return true; }
  void write_decisions(const pool::Plan& plan, wire::Decision* out) const override;
  std::optional<Remaining> remaining() const override;
  uint64_t waiting() const override { return frontier_.waiting() + prefixes_.size(); }
  bool is_common(const pool::Plan&) const override { return prefixes_.is_open(); }
  bool is_divided() const override { return is_divided_; }
  TreeStatistics statistics() const override;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;
  bool knows(const pool::Plan& plan) const override;

 private:
  // A schedule to be: at a step of the execution that is looked at, another thread or outcome.
  struct Addition {
    uint32_t owner;
    wire::Fork fork;  // the step
    uint32_t thread;
    uint32_t outcome;
    uint32_t place;  // in the list of the step: so many threads before it
    bool conservative;
    uint32_t first_wakeup;  // in wakeup_: where to go from there
    uint32_t wakeup_count;
  };

  // Node::choice and Entry::choice are the thread + 1, with a mark for wishes. The mark alone is of
  // a node without a decision: the schedule of its parent, of which the steps up to its own belong
  // to a prefix (prefixes.h).
  static constexpr uint32_t kWish = 0x8000;
  static constexpr uint16_t kPrefix = kWish;
  static constexpr uint32_t kMaxThreads = kWish - 2;
  static_assert(kMaxThreads == causality::Observation::kMaxThreads);
  static bool is_prefix(const Node& node) { return node.choice == kPrefix; }
  static bool is_wish(const Node& node) { return node.choice > kPrefix; }
  static uint32_t thread_of(const Node& node) { return (node.choice & ~kWish) - 1; }

  // Node::extra and Entry::extra.
  static constexpr uint32_t kMaxPlace = 255;
  static uint16_t pack(uint32_t place, uint32_t outcome) {
    return static_cast<uint16_t>(std::min(place, kMaxPlace) << 8 | outcome);
  }
  static uint32_t place_of(const Node& node) { return node.extra >> 8; }
  static uint32_t outcome_of(const Node& node) { return node.extra & 0xff; }

  uint64_t sleepers(const Node& node) const;
  uint32_t decision_count(uint32_t index) const;  // with those who sleep
  void find_path(uint32_t index);
  void add_all(uint32_t index, causality::Observation& observation);
  void add_children(causality::Observation& observation);
  void learn_lineage(uint32_t index, causality::Observation& observation);
  uint32_t root_of(uint32_t index) const;
  void add_outcomes(uint32_t index, const wire::OpenStep& open);
  void add_alternative(uint32_t index, const wire::Alternative& alternative);
  void learn_end(const causality::Observation& observation);
  bool is_covered(const causality::Observation& observation, uint32_t reversal) const;
  void reverse(const wire::Reversal& reversal, std::span<const wire::WakeupStep> wakeup);
  uint32_t real_node(uint32_t index) const;
  uint32_t owner_of(uint32_t step) const;
  std::optional<Entry> take();
  void add_all_options(uint32_t index, const causality::Observation& observation);
  void divide();
  void check_node(ByteReader& in, const Node& node) const;
  void push(const causality::Observation& observation);
  Key key_of(const Addition& addition);
  void release(uint32_t index);

  Frontier frontier_;
  ExecutionTree& tree_ = frontier_.tree();
  Order order_;
  BacktrackLists lists_;
  bool sleep_sets_;
  bool scripted_;
  Prefixes prefixes_;
  bool is_divided_ = false;  // other parts have some of what waited
  bool by_lineage_;
  uint32_t root_ = ExecutionTree::kNone;  // of what is searched now
  uint64_t list_bytes_peak_ = 0;

  // Of the execution that is looked at.
  std::vector<uint32_t> path_;            // its node and the ancestors, from the root
  uint32_t first_free_ = 0;               // step behind its prefix
  uint32_t ending_step_ = wire::kNoStep;  // the last, if it has ended the execution
  std::vector<Addition> additions_;
  std::vector<wire::WakeupStep> wakeup_;
};

}  // namespace heddle::explore

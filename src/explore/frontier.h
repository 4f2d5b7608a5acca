// The frontier of a systematic search: the execution tree, the fringe of schedules that wait, those
// under way, how all of it has grown, and the bound on its memory. Best-first and reduced search
// differ in what they add, and in what they make of an entry.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/bundle.h"
#include "explore/bytes.h"
#include "explore/execution_tree.h"
#include "explore/fringe.h"
#include "explore/memory_bound.h"
#include "explore/tree_history.h"

namespace heddle::explore {

class Frontier {
 public:
  Frontier(std::string directory, uint64_t memory, Fringe::Holds holds = Fringe::Holds::schedules)
      : fringe_(std::move(directory), holds), memory_(memory) {}

  ExecutionTree& tree() { return tree_; }
  const ExecutionTree& tree() const { return tree_; }
  Fringe& fringe() { return fringe_; }
  const Fringe& fringe() const { return fringe_; }

  bool is_complete() const { return tree_.alive() == 0 && !root_is_due_; }
  bool is_begun() const { return !root_is_due_; }
  uint32_t under_way() const { return under_way_; }
  uint64_t waiting() const { return fringe_.size() + under_way_; }

  // The root's node, the first time; it is then under way.
  std::optional<uint32_t> take_root() {
    if (!root_is_due_) return std::nullopt;
    root_is_due_ = false;
    ++under_way_;
    return tree_.add_root();
  }

  // All that waits is given up, and the root is the next to be taken. Those under way are still to
  // be released.
  void begin_again() {
    while (!fringe_.empty()) tree_.release(fringe_.pop().parent);
    root_is_due_ = true;
  }

  // Subtrees of another search in the root's place, before anything else; `extra` as in put_in().
  void begin_with(const Bundle& subtrees,
                  const std::function<uint32_t(uint32_t, uint32_t)>& extra) {
    root_is_due_ = false;
    put_in(subtrees, extra, &tree_, &fringe_);
  }

  // The best of the fringe, which is then under way. Not when that is empty. Throws SpillError, and
  // is then as before.
  Entry take() {
    Entry entry = fringe_.pop();
    ++under_way_;
    return entry;
  }

  // One that has waited elsewhere is under way.
  Entry begin(const Entry& entry) {
    ++under_way_;
    return entry;
  }

  // The schedule of one that waits, which is searched elsewhere from now on: all that comes of it.
  Entry give_away() { return fringe_.pop(); }
  // … and of what was given away, so many executions were made.
  void searched(uint64_t executions, uint64_t steps) {
    tree_.count(static_cast<int64_t>(executions));
    history_.executed(tree_, fringe_, steps, executions);
  }

  // One of those under way has been executed, with so many steps, and all that it has taught is
  // added. The rest: what the strategy takes in memory beside tree and fringe.
  void executed(uint32_t steps, uint64_t rest) {
    --under_way_;
    history_.executed(tree_, fringe_, steps);
    memory_.keep(tree_.bytes() + rest, fringe_);
  }

  TreeStatistics statistics() const { return history_.statistics(tree_, fringe_); }

  void save(ByteWriter& out) const;
  // The rest as for executed(): what is loaded is kept within the bound, too.
  // `others`: schedules that wait elsewhere, as ranges of choices.
  void load(ByteReader& in, uint64_t rest, const std::vector<Entry>& others = {});

 private:
  ExecutionTree tree_;
  Fringe fringe_;
  TreeHistory history_;
  MemoryBound memory_;
  bool root_is_due_ = true;
  uint32_t under_way_ = 0;
};

}  // namespace heddle::explore

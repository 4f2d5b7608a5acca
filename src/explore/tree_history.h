// How the execution tree and the fringe grow and shrink over a search (gambit, section 5.4 and
// figure 5), and what the tree of partial schedules that they stand for would have taken.
//
// In the uncompressed tree (section 3.1) there is a node for each step of each schedule that waits
// or is under way, of the same 16 bytes; what schedules have in common is shared. Counting these
// nodes means to look at every live one, at a few nanoseconds each. So it is done for samples only,
// and for one of them not before four times as many steps have been executed as there are nodes and
// entries to look at: it then costs next to nothing. While a part of the fringe is on disk, it is
// not done at all.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/execution_tree.h"
#include "explore/fringe.h"
#include "explore/strategy.h"

namespace heddle::explore {

// The nodes of the uncompressed tree. A node of the execution tree stands for the steps from its
// own up to the deepest at which it has a live successor; a schedule that waits, for its last one.
uint64_t uncompressed_nodes(const ExecutionTree& tree, const Fringe& fringe);

class TreeHistory {
 public:
  static constexpr size_t kMaxSamples = 500;

  // After each execution: with the number of steps that it made. Or after several.
  void executed(const ExecutionTree& tree, const Fringe& fringe, uint64_t steps,
                uint64_t executions = 1) {
    executions_ += executions;
    steps_ += steps;
    uint64_t alive = tree.alive() + fringe.size();
    if (alive > alive_peak_) alive_peak_ = alive;
    uint64_t in_memory = tree.alive() + fringe.entries() - fringe.spilled();
    if (in_memory > memory_peak_) memory_peak_ = in_memory;
    if (fringe.spilled() > spilled_peak_) spilled_peak_ = fringe.spilled();
    if (executions_ >= next_) take_sample(tree, fringe);
  }

  TreeStatistics statistics(const ExecutionTree& tree, const Fringe& fringe) const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  static constexpr uint64_t kStepsPerEntry = 4;
  static constexpr uint64_t kLeastEntries = 1024;  // what a look costs, however few there are

  void take_sample(const ExecutionTree& tree, const Fringe& fringe);
  TreeSample sample(const ExecutionTree& tree, const Fringe& fringe) const;

  uint64_t executions_ = 0;
  uint64_t alive_peak_ = 0;
  uint64_t memory_peak_ = 0;        // nodes and entries in memory
  uint64_t spilled_peak_ = 0;       // entries on disk
  uint64_t uncompressed_peak_ = 0;  // bytes
  uint64_t steps_ = 0;              // executed
  uint64_t paid_ = 0;               // of them, for what was counted so far
  uint64_t next_ = 1;               // execution after which the next sample is due
  uint64_t interval_ = 1;
  std::vector<TreeSample> samples_;
};

}  // namespace heddle::explore

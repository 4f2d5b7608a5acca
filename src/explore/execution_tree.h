// The execution tree (gambit, section 3): which schedules are still to be run, and what they have
// in common.
//
// A node is a schedule: that of its parent, and one decision more. It lives as long as it is to be
// run, or has a successor that lives. Nodes stand in blocks that never move and are named by 32-bit
// index; free ones are used again, so a search of any length takes the memory of its widest moment.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/check.h"
#include "explore/strategy.h"
#include "wire/layout.h"

namespace heddle::explore {

struct Node {
  uint32_t parent;     // kNone for the root; of a free node: the next free one
  uint32_t live;       // successors that live, and 1 for itself until it has been executed
  uint32_t step;       // of its own decision; kNoStep for the root, so that step + 1 is 0
  uint32_t check;      // the prefix's sequence hash before that step: see wire::Job
  uint32_t decisions;  // length of the schedule
  uint16_t choice;
  uint16_t preemptions;  // in the steps up to and with its own; stays at 65535
};
static_assert(sizeof(Node) == 24);

class ExecutionTree {
 public:
  static constexpr uint32_t kNone = 0xffffffff;
  static constexpr uint32_t kMaxPreemptions = 0xffff;

  // Made alive, with a reference for its own execution.
  uint32_t add_root();
  uint32_t add(uint32_t parent, uint32_t step, uint32_t check, uint32_t choice,
               uint32_t preemptions) {
    uint32_t index = allocate();
    Node& above = (*this)[parent];
    ++above.live;
    (*this)[index] = {parent,
                      1,
                      step,
                      check,
                      above.decisions + 1,
                      static_cast<uint16_t>(choice),
                      static_cast<uint16_t>(preemptions)};
    account(step);
    return index;
  }

  // The node has been executed and has its successors: drops its own reference.
  void executed(uint32_t index) {
    while (index != kNone) {
      Node& node = (*this)[index];
      if (--node.live > 0) return;
      uint32_t parent = node.parent;
      uncompressed_ -= node.step + 1;
      node.parent = free_;
      free_ = index;
      --alive_;
      index = parent;
    }
  }

  Node& operator[](uint32_t index) { return blocks_[index >> kBlockBits][index & kBlockMask]; }
  const Node& operator[](uint32_t index) const {
    return blocks_[index >> kBlockBits][index & kBlockMask];
  }

  // The schedule of the node, by rising step.
  void write_decisions(uint32_t index, wire::Decision* out) const {
    for (uint32_t i = (*this)[index].decisions; i-- > 0;) {
      const Node& node = (*this)[index];
      out[i] = {node.step, node.choice};
      index = node.parent;
    }
  }

  uint64_t alive() const { return alive_; }
  TreeStatistics statistics() const {
    return {created_, alive_peak_, alive_peak_ * sizeof(Node), uncompressed_peak_};
  }

 private:
  static constexpr uint32_t kBlockBits = 14;
  static constexpr uint32_t kBlockMask = (1u << kBlockBits) - 1;

  uint32_t allocate() {
    if (free_ == kNone) grow();
    uint32_t index = free_;
    free_ = (*this)[index].parent;
    return index;
  }

  void account(uint32_t step) {
    ++created_;
    if (++alive_ > alive_peak_) alive_peak_ = alive_;
    uncompressed_ += step + 1;
    if (uncompressed_ > uncompressed_peak_) uncompressed_peak_ = uncompressed_;
  }

  void grow();

  std::vector<std::unique_ptr<Node[]>> blocks_;
  uint32_t free_ = kNone;
  uint64_t created_ = 0;
  uint64_t alive_ = 0;
  uint64_t alive_peak_ = 0;
  uint64_t uncompressed_ = 0;  // bytes, at one for each step of a live node's schedule
  uint64_t uncompressed_peak_ = 0;
};

}  // namespace heddle::explore

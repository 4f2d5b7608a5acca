// The execution tree (gambit, section 3): what the schedules that are still to be run have in
// common.
//
// A node is a schedule: that of its parent, and one decision more. It is made when its schedule is
// taken from the fringe to be run, and lives until it has been executed and none of its successors
// waits or lives; then it goes, and its parent with it if that was the last reason, up to the root.
// At the end of a complete search the tree is empty. A schedule that waits is no node but an entry
// of the fringe (fringe.h), of the same 16 bytes: there are never both.
//
// Nodes stand in blocks that never move and are named by 32-bit index; free ones are used again, so
// a search of any length takes the memory of its widest moment.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/check.h"
#include "explore/bytes.h"
#include "wire/layout.h"

namespace heddle::explore {

struct Node {
  uint32_t parent;  // kNone for the root; of a free node: the next free one
  uint32_t live;    // successors that live or wait, and 1 for itself until it has been executed;
                    // of a free node: 0
  uint32_t step;    // of its own decision; kNoStep for the root, so that step + 1 is 0
  uint16_t choice;  // 0 for the root alone, of all that live
  uint16_t extra;   // the strategy's own
};
static_assert(sizeof(Node) == 16);

class ExecutionTree {
 public:
  static constexpr uint32_t kNone = 0xffffffff;

  // Both make a node that is about to be executed. The parent must have been told of its successor
  // by keep().
  uint32_t add_root() { return add(kNone, wire::kNoStep, 0, 0); }
  uint32_t add(uint32_t parent, uint32_t step, uint32_t choice, uint32_t extra) {
    uint32_t index = free_;
    if (index != kNone) {
      free_ = (*this)[index].parent;
    } else {
      index = end_++;
      if ((index & kBlockMask) == 0) add_block();
    }
    (*this)[index] = {parent, 1, step, static_cast<uint16_t>(choice), static_cast<uint16_t>(extra)};
    ++created_;
    ++alive_;
    return index;
  }

  // So many successors more wait in the fringe.
  void keep(uint32_t index, uint32_t successors) { (*this)[index].live += successors; }

  // One reason less to live: the node has been executed and has its successors, or a successor that
  // waited is given up.
  void release(uint32_t index) {
    while (index != kNone) {
      Node& node = (*this)[index];
      if (--node.live > 0) return;
      uint32_t parent = node.parent;
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

  // The schedule of the node: its length, and its decisions by rising step.
  uint32_t decision_count(uint32_t index) const {
    uint32_t count = 0;
    for (;; ++count) {
      index = (*this)[index].parent;
      if (index == kNone) return count;
    }
  }
  void write_decisions(uint32_t index, uint32_t count, wire::Decision* out) const {
    for (uint32_t i = count; i-- > 0;) {
      const Node& node = (*this)[index];
      out[i] = {node.step, node.choice};
      index = node.parent;
    }
  }

  // So many nodes were made elsewhere, or made once more.
  void count(int64_t nodes) { created_ += static_cast<uint64_t>(nodes); }
  uint64_t created() const { return created_; }
  uint64_t alive() const { return alive_; }
  uint64_t bytes() const { return blocks_.size() * (sizeof(Node) << kBlockBits); }
  // Indices below this one may be in use.
  uint32_t end() const { return end_; }

  // Of those that live: the number of its decisions; of the others 0.
  std::vector<uint32_t> depths() const;
  bool lives(uint64_t index) const {
    return index < end_ && (*this)[static_cast<uint32_t>(index)].live != 0;
  }

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  static constexpr uint32_t kBlockBits = 14;
  static constexpr uint32_t kBlockMask = (1u << kBlockBits) - 1;

  void add_block();
  void check(ByteReader& in) const;

  std::vector<std::unique_ptr<Node[]>> blocks_;
  uint32_t free_ = kNone;  // the first of those that were used before
  uint32_t end_ = 0;       // of those that were ever used
  uint64_t created_ = 0;
  uint64_t alive_ = 0;
};

}  // namespace heddle::explore

// The fringe (gambit, section 5.4): the schedules that wait to be run, in bins of equal priority,
// each a stack. The best bin is served first, and in it what came last: where all priorities are
// equal, that is depth-first search.
//
// A schedule that waits takes the 16 bytes of its entry and nothing else. Stacks are made of chunks
// from one pool, which are used again: there is no allocation for each execution, and never a copy
// of a whole stack.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/check.h"

namespace heddle::explore {

// A schedule that waits: that of the node `parent`, and one decision more.
struct Entry {
  uint32_t parent;
  uint32_t step;
  uint32_t check;  // the prefix's sequence hash before that step: see wire::Job
  uint16_t choice;
  uint16_t extra;  // the strategy's own
};
static_assert(sizeof(Entry) == 16);

// One number for each function of the order, and 0 behind them. Compared from left to right; the
// lowest is the best.
inline constexpr size_t kMaxOrder = 8;
using Key = std::array<int32_t, kMaxOrder>;

// Without a call, which comparing arrays would be.
inline bool same(const Key& a, const Key& b) {
  using Words = std::array<uint64_t, kMaxOrder / 2>;
  Words x = std::bit_cast<Words>(a), y = std::bit_cast<Words>(b);
  uint64_t difference = 0;
  for (size_t i = 0; i < x.size(); ++i) difference |= x[i] ^ y[i];
  return difference == 0;
}

class Fringe {
 public:
  Fringe() = default;
  Fringe(const Fringe&) = delete;
  Fringe& operator=(const Fringe&) = delete;

  bool empty() const { return size_ == 0; }
  uint64_t size() const { return size_; }

  void push(const Key& key, const Entry& entry) {
    if (recent_ == nullptr || !same(recent_->first, key)) recent_ = find(key);
    Bin& bin = recent_->second;
    if (bin.count == kChunkEntries) add_chunk(bin);
    bin.top->entries[bin.count++] = entry;
    ++size_;
  }

  // The best, and among equals the last. Not when empty.
  Entry pop() {
    HEDDLE_CHECK(size_ > 0);
    Bin& bin = best_->second;
    Entry entry = bin.top->entries[--bin.count];
    --size_;
    if (bin.count == 0) drop_chunk(bin);
    return entry;
  }

  // What it takes in memory, chunks that are not in use included.
  uint64_t bytes() const { return chunks_.size() * sizeof(Chunk); }
  size_t bins() const { return bins_.size(); }

  // Each entry, in no order that means anything.
  template <typename Function>
  void for_each(Function&& function) const {
    for (const auto& [key, bin] : bins_) {
      for (const Chunk* chunk : bin.full) {
        for (const Entry& entry : chunk->entries) function(entry);
      }
      for (uint32_t i = 0; i < bin.count; ++i) function(bin.top->entries[i]);
    }
  }

 private:
  // 2 KB: small, since each bin has one that is not full; large enough that its place in the list
  // of chunks (8 bytes) does not count.
  static constexpr uint32_t kChunkEntries = 128;
  struct Chunk {
    Entry entries[kChunkEntries];
  };

  struct Bin {
    std::vector<Chunk*> full;  // from the bottom
    Chunk* top = nullptr;
    uint32_t count = 0;  // in top; 0 only in a bin that is not in use
  };
  using Bins = std::map<Key, Bin>;

  Bins::value_type* find(const Key& key);
  void add_chunk(Bin& bin);
  void drop_chunk(Bin& bin);
  Chunk* take_chunk();

  Bins bins_;                           // none of them empty
  Bins::value_type* best_ = nullptr;    // the first; null if there is none
  Bins::value_type* recent_ = nullptr;  // the bin of the last push; null if it is gone
  std::vector<Bins::node_type> spare_;  // bins that were emptied, to be used again
  uint64_t size_ = 0;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<Chunk*> free_;
};

}  // namespace heddle::explore

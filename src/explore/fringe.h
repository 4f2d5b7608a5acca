// The fringe (gambit, section 5.4): the schedules that wait to be run, in bins of equal priority,
// each a stack. The best bin is served first, and in it what came last: where all priorities are
// equal, that is depth-first search.
//
// A schedule that waits takes the 16 bytes of its entry and nothing else. Those of equal priority
// that differ only in their last choice can share one: where a hundred threads could go at each
// step of an execution, most do. Stacks are made of chunks, which are used again: there is no
// allocation for each execution, and never a copy of a whole stack. Where memory is short, the
// chunks that will be wanted last go to disk: those of the worst bins, and the bottom half of the
// best. They come back one by one when everything better is gone.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "explore/bytes.h"
#include "explore/spill_file.h"

namespace heddle::explore {

// A schedule that waits: that of the node `parent`, and one decision more. Of a fringe of ranges:
// one schedule for each choice from `choice` to `extra`.
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
  enum class Holds : bool { schedules, ranges };

  // The directory: for what does not fit into memory.
  explicit Fringe(std::string directory = ".", Holds holds = Holds::schedules);
  ~Fringe();
  Fringe(const Fringe&) = delete;
  Fringe& operator=(const Fringe&) = delete;

  bool empty() const { return size_ == 0; }
  uint64_t size() const { return size_; }        // schedules
  uint64_t entries() const { return entries_; }  // as many, or fewer where they share some
  // Of the entries, those on disk.
  uint64_t spilled() const { return spilled_ * kChunkEntries; }

  void push(const Key& key, const Entry& entry) {
    if (recent_ == nullptr || !same(recent_->first, key)) recent_ = find(key);
    Bin& bin = recent_->second;
    if (bin.count == bin.capacity) grow(bin);
    bin.top[bin.count++] = entry;
    ++entries_;
    size_ += width(entry);
  }

  // Of what pop() would give. Not when empty.
  const Key& best_key() const { return best_->first; }

  // The best, and among equals the last; of a range the lowest choice. Not when empty. Throws
  // SpillError, and is then as before.
  Entry pop() {
    HEDDLE_CHECK(size_ > 0);
    Bin& bin = best_->second;
    if (bin.count == 0) [[unlikely]]
      load_chunk(bin);
    --size_;
    Entry& top = bin.top[bin.count - 1];
    Entry entry = top;
    if (width(entry) > 1) {
      ++top.choice;
      return entry;
    }
    --bin.count;
    --entries_;
    if (bin.count == 0) drop_chunk(bin);
    return entry;
  }

  uint64_t schedules_of(const Entry& entry) const { return width(entry); }

  // What it takes in memory, with what is not in use.
  uint64_t bytes() const {
    return (allocated_ + (bins_.size() + spare_.size()) * kBinEntries) * sizeof(Entry);
  }
  size_t bins() const { return bins_.size(); }

  // Gives memory back until no more than `bytes` are taken, or nothing is left that could go to
  // disk: the topmost chunk of each bin stays. Throws SpillError; nothing is lost then.
  void spill(uint64_t bytes);

  // While it is loaded, `after_some` is called now and then, and may spill.
  void save(ByteWriter& out) const;
  // Each is looked at before it is added.
  void load(ByteReader& in, const std::function<void(const Entry&)>& look_at,
            const std::function<void()>& after_some);

  // Each entry, bin by bin from the best, each from its bottom. Throws SpillError.
  template <typename Function>
  void for_each(Function&& function) const {
    for (const auto& [key, bin] : bins_) {
      Entry loaded[kChunkEntries];
      for (size_t place = 0; place < bin.full.size(); ++place) {
        const Entry* chunk = loaded;
        if (place < bin.spilled) {
          file_.read(static_cast<uint32_t>(bin.full[place]), loaded);
        } else {
          chunk = chunk_of(bin.full[place]);
        }
        for (uint32_t i = 0; i < kChunkEntries; ++i) function(key, chunk[i]);
      }
      for (uint32_t i = 0; i < bin.count; ++i) function(key, bin.top[i]);
    }
  }

 private:
  // A chunk is 2 KB: large enough that its place in the list of chunks (8 bytes) does not count.
  // The topmost one of a bin is smaller at first, and grows: there may be many bins.
  static constexpr uint32_t kChunkEntries = 128;
  static constexpr uint32_t kChunkBytes = kChunkEntries * sizeof(Entry);
  static constexpr uint32_t kLeastEntries = 4;
  static constexpr uint64_t kBinEntries = 10;  // the size of a bin itself, in entries

  struct Bin {
    std::vector<uint64_t> full;  // from the bottom: numbers in the file, then addresses
    uint64_t spilled = 0;        // how many are in the file
    Entry* top = nullptr;
    uint32_t count = 0;     // in top; 0: the chunk below is on disk, and has to be loaded
    uint32_t capacity = 0;  // of top: at most kChunkEntries; as many, if there is one below
  };
  using Bins = std::map<Key, Bin>;

  // How many schedules an entry stands for.
  uint32_t width(const Entry& entry) const {
    return holds_ == Holds::ranges ? uint32_t{entry.extra} - entry.choice + 1 : 1;
  }

  static Entry* chunk_of(uint64_t address) { return reinterpret_cast<Entry*>(address); }
  Bins::value_type* find(const Key& key);
  void grow(Bin& bin);
  void load_chunk(Bin& bin);
  void drop_chunk(Bin& bin);
  void spill(Bin& bin, uint64_t chunks);
  Entry* take_chunk();
  void free_spare_chunks();

  Bins bins_;                           // none of them empty
  Bins::value_type* best_ = nullptr;    // the first; null if there is none
  Bins::value_type* recent_ = nullptr;  // the bin of the last push; null if it is gone
  std::vector<Bins::node_type> spare_;  // bins that were emptied, to be used again
  Holds holds_;
  uint64_t size_ = 0;
  uint64_t entries_ = 0;
  uint64_t allocated_ = 0;    // entries that there is room for in memory
  uint64_t spilled_ = 0;      // chunks
  std::vector<Entry*> free_;  // chunks
  SpillFile file_;
};

}  // namespace heddle::explore

// Counts different 64-bit hashes, in memory that does not grow without end: exactly up to kExact of
// them, beyond that by estimate (HyperLogLog, 65,536 registers: standard error 1.04 / sqrt(65536) =
// 0.4 %).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "explore/bytes.h"

namespace heddle::explore {

class DistinctCounter {
 public:
  static constexpr uint64_t kExact = uint64_t{1} << 20;

  // The table is larger than the cache: its line is fetched now, and looked at a few hashes later.
  void add(uint64_t hash) {
    if (registers_.empty()) {
      __builtin_prefetch(&table_[place(hash) & (table_.size() - 1)], 1);
    }
    std::swap(hash, waiting_[added_ % kWaiting]);
    if (added_++ >= kWaiting) insert(hash);
  }

  uint64_t count();
  // All that another one has counted.
  void add_all(const DistinctCounter& other);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

  bool estimated() const { return !registers_.empty(); }

 private:
  static constexpr int kRegisterBits = 16;
  static constexpr uint64_t kWaiting = 16;

  void insert(uint64_t hash) {
    if (!registers_.empty()) {
      estimate(hash);
      return;
    }
    if (hash == 0) {
      has_zero_ = true;
      return;
    }
    uint64_t mask = table_.size() - 1;
    for (uint64_t i = place(hash);; ++i) {
      uint64_t& entry = table_[i & mask];
      if (entry == hash) return;
      if (entry != 0) continue;
      entry = hash;
      if (++count_ * 2 > table_.size()) grow();
      return;
    }
  }

  static uint64_t place(uint64_t hash) { return mix(hash, kMix1); }
  void estimate(uint64_t hash);
  void grow();
  void become_estimate();

  std::vector<uint64_t> table_ =
      std::vector<uint64_t>(1024);  // open addressing; 0 is empty; at most half full
  uint64_t waiting_[kWaiting] = {};
  uint64_t added_ = 0;
  uint64_t count_ = 0;
  bool has_zero_ = false;
  std::vector<uint8_t> registers_;  // empty while the count is exact
};

}  // namespace heddle::explore

// A set of 64-bit hashes: of fingerprints, of states. It only grows.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "explore/bytes.h"

namespace heddle::explore {

class SeenSet {
 public:
  // False: it is there already.
  bool insert(uint64_t hash) {
    if (hash == 0) hash = kMix2;  // 0 is an empty entry
    if ((size_ + 1) * 2 > table_.size()) grow();
    uint64_t* entry = find(hash);
    if (*entry == hash) return false;
    *entry = hash;
    ++size_;
    return true;
  }
  uint64_t size() const { return size_; }
  uint64_t bytes() const { return table_.size() * sizeof(uint64_t); }

  void save(ByteWriter& out) const {
    std::vector<uint64_t> all;
    for (uint64_t hash : table_) {
      if (hash != 0) all.push_back(hash);
    }
    out.put_all(all);
  }
  void load(ByteReader& in) {
    for (uint64_t hash : in.get_all<uint64_t>()) insert(hash);
  }

 private:
  // The entry that has the hash, or may have it.
  uint64_t* find(uint64_t hash) {
    uint64_t mask = table_.size() - 1;
    uint64_t i = mix(hash, kMix1) & mask;
    while (table_[i] != 0 && table_[i] != hash) i = (i + 1) & mask;
    return &table_[i];
  }
  void grow() {
    std::vector<uint64_t> old = std::move(table_);
    table_.assign(old.empty() ? 256 : old.size() * 2, 0);
    for (uint64_t hash : old) {
      if (hash != 0) *find(hash) = hash;
    }
  }

  std::vector<uint64_t> table_;  // open addressing, at most half full
  uint64_t size_ = 0;
};

}  // namespace heddle::explore

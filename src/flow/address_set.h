// A set of addresses that lie near each other, with a bit for each byte; it counts fast.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace heddle::flow {

struct AddressSet {
  uint64_t base = 0;
  std::vector<uint64_t> words;

  AddressSet() = default;
  AddressSet(uint64_t begin, uint64_t end) : base(begin), words((end - begin + 63) / 64) {}

  uint64_t end() const { return base + words.size() * 64; }
  bool covers(uint64_t address) const { return address >= base && address < end(); }
  bool has(uint64_t address) const {
    if (!covers(address)) return false;
    uint64_t bit = address - base;
    return (words[bit / 64] >> bit % 64 & 1) != 0;
  }
  void add(uint64_t address) {
    if (!covers(address)) return;
    uint64_t bit = address - base;
    words[bit / 64] |= uint64_t{1} << bit % 64;
  }
  // The first at or behind `from`, or `limit` if that comes before.
  uint64_t next(uint64_t from, uint64_t limit) const {
    if (from < base) from = base;
    while (from < limit && from < end()) {
      uint64_t bit = from - base;
      uint64_t rest = words[bit / 64] >> bit % 64;
      if (rest != 0) {
        uint64_t found = from + static_cast<uint64_t>(std::countr_zero(rest));
        return found < limit ? found : limit;
      }
      from += 64 - bit % 64;
    }
    return limit;
  }
  // How many are in [from, limit), both within the set's reach.
  uint32_t count(uint64_t from, uint64_t limit) const {
    if (from >= limit) return 0;
    uint64_t first = from - base;
    uint64_t last = limit - base;  // exclusive
    uint64_t low = ~uint64_t{0} << first % 64;
    uint64_t high = last % 64 == 0 ? 0 : ~(~uint64_t{0} << last % 64);
    uint64_t word = first / 64;
    if (word == last / 64) return static_cast<uint32_t>(std::popcount(words[word] & low & high));
    uint32_t sum = static_cast<uint32_t>(std::popcount(words[word] & low));
    for (++word; word < last / 64; ++word) sum += static_cast<uint32_t>(std::popcount(words[word]));
    if (high != 0) sum += static_cast<uint32_t>(std::popcount(words[word] & high));
    return sum;
  }
};

}  // namespace heddle::flow

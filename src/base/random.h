// A small random number generator (splitmix64): the same numbers for the same seed on every
// machine.
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace heddle {

class Random {
 public:
  explicit constexpr Random(uint64_t seed = 0) : state_(seed) {}

  constexpr uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // Below n, which is not 0. Multiplication instead of division; the bias is below n / 2^64.
  constexpr uint64_t below(uint64_t n) {
    return static_cast<uint64_t>((static_cast<uint128>(next()) * n) >> 64);
  }

 private:
  uint64_t state_;
};

}  // namespace heddle

// The ratio of randomized backtracking: how likely it is that a search goes on at a depth. A number
// from 0 to 1, or 1 - d/C, where d is the depth. In integers: it is asked inside the program under
// test, which may compute with another rounding.
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace heddle {

struct Ratio {
  // Of 2^64; all ones: always. Of no interest if there is a divisor.
  uint64_t constant = ~uint64_t{0};
  uint64_t divisor = 0;  // C; 0: the ratio is the constant
};

// How many of 2^64 numbers go on at this depth; all ones: all of them.
constexpr uint64_t going_on(const Ratio& ratio, uint64_t depth) {
  if (ratio.divisor == 0) return ratio.constant;
  if (depth >= ratio.divisor) return 0;
  if (depth == 0) return ~uint64_t{0};
  return static_cast<uint64_t>((static_cast<uint128>(ratio.divisor - depth) << 64) / ratio.divisor);
}

// Whether a number drawn by chance says to go on.
constexpr bool goes_on(const Ratio& ratio, uint64_t depth, uint64_t drawn) {
  uint64_t below = going_on(ratio, depth);
  return drawn < below || below == ~uint64_t{0};
}

}  // namespace heddle

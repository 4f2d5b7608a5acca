// The Luby sequence 1 1 2 1 1 2 4 1 …: its i-th number, from 1 on.
#pragma once

#include <bit>
#include <cstdint>

namespace heddle::explore {

constexpr uint64_t luby(uint64_t i) {
  for (;;) {
    if (std::has_single_bit(i + 1)) return (i + 1) / 2;
    i -= std::bit_floor(i) - 1;
  }
}

}  // namespace heddle::explore

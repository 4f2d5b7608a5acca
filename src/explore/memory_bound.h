// Keeps tree and fringe below a size: above it, a part of the fringe goes to disk.
#pragma once

#include <algorithm>
#include <cstdint>

#include "explore/fringe.h"

namespace heddle::explore {

class MemoryBound {
 public:
  explicit MemoryBound(uint64_t bytes) : bytes_(bytes), full_at_(bytes) {}

  // After each execution: with what the rest of the search takes, which has to stay. Throws
  // SpillError.
  void keep(uint64_t rest, Fringe& fringe) {
    if (rest + fringe.bytes() > full_at_) make_room(rest, fringe);
  }

 private:
  // A quarter of what the fringe may have is freed at a time, so that this is rare. Where the rest
  // takes all, it is not tried again at once.
  void make_room(uint64_t rest, Fringe& fringe) {
    uint64_t left = bytes_ - std::min(bytes_, rest);
    fringe.spill(left / 4 * 3);
    full_at_ = std::max(bytes_, rest + fringe.bytes() + bytes_ / 8);
  }

  uint64_t bytes_;
  uint64_t full_at_;
};

}  // namespace heddle::explore

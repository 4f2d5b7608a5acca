// One of several parts of a search, each of which another machine may run.
#pragma once

#include <cstdint>

namespace heddle::explore {

struct Shard {
  uint32_t index = 0;  // from 1
  uint32_t count = 0;  // of the parts; 0: the search is not divided

  bool is_on() const { return count != 0; }
};

}  // namespace heddle::explore

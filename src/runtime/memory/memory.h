// Memory: which stores a load may see, and what it reads.
//
// A thread asks when it has announced an atomic operation, before anybody chooses: where there are
// several stores to see, the operation is open, and each of them is an option of the choice point.
// Here memory is sequentially consistent: a load sees the last store of the schedule
// and no other, so nobody is asked and nothing is kept. A weaker model keeps stores in this room,
// and answers from them.
#pragma once

#include "runtime/thread.h"

namespace heddle::runtime {

// How many stores a pending atomic load, with this memory order, may see if it is performed now;
// the newest is number 0.
constexpr uint32_t visible_stores(const Pending& /*load*/, int /*order*/) { return 1; }

// What store number `store` has left there.
template <typename T>
inline T load_value(const volatile T* address, uint32_t /*store*/ = 0) {
  return *address;
}

// Whether the value that a pending compare-exchange expects is there now.
bool finds_expected(const Pending& pending);

}  // namespace heddle::runtime

// Data races: two accesses to the same bytes, one of them a write, one of them not atomic, neither
// happening before the other.
#pragma once

#include "runtime/detect/order.h"
#include "runtime/detect/shadow.h"

namespace heddle::runtime {

// More than one thread has been at work since all were last joined: an access may race.
inline bool may_race() { return g_ordering && g_run.thread_count > 1; }

void check_race(uint64_t address, uint64_t size, uint8_t flags, uint64_t pc);

inline void note_access(uint64_t address, uint64_t size, uint8_t flags, uint64_t pc) {
  if (may_race()) check_race(address, size, flags, pc);
}

}  // namespace heddle::runtime

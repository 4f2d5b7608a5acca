// Data races: two accesses to the same bytes, one of them a write, one of them not atomic, neither
// happening before the other.
#pragma once

#include "runtime/detect/order.h"
#include "runtime/detect/racing.h"
#include "runtime/detect/shadow.h"

namespace heddle::runtime {

// More than one thread has been at work since all were last joined: an access may race.
inline bool may_race() { return g_ordering && g_run.thread_count > 1; }

void check_race(uint64_t address, uint64_t size, uint8_t flags, uint64_t pc);

// The thread has done as much here since it last gave anything away: whoever races with this access
// races with that one, and is known already.
inline bool is_repetition(const Access& now, const Access& old) {
  if (old.thread != now.thread || old.time != now.time || (now.bytes & ~old.bytes) != 0)
    return false;
  if ((now.flags & kWriteAccess) > (old.flags & kWriteAccess)) return false;
  return (old.flags & kAtomicAccess) <= (now.flags & kAtomicAccess);
}

inline void note_access(uint64_t address, uint64_t size, uint8_t flags, uint64_t pc) {
  if (!may_race()) return;
  uint64_t offset = address % 8;
  if (HEDDLE_LIKELY(offset + size <= 8) && !g_explore_races) {
    const Cell* cell = near_cell(address);
    const Thread* self = g_run.current;
    Access now{0, time_of(self), static_cast<uint16_t>(self->index),
               static_cast<uint8_t>(((1u << size) - 1) << offset), flags};
    if (cell != nullptr && is_repetition(now, cell->first)) return;
  }
  check_race(address, size, flags, pc);
}

}  // namespace heddle::runtime

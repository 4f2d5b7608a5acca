// Data races: two accesses to the same bytes, one of them a write, one of them not atomic, neither
// happening before the other.
#pragma once

#include "runtime/carrier/local_state.h"
#include "runtime/detect/calls.h"
#include "runtime/detect/order.h"
#include "runtime/detect/plain_spin.h"
#include "runtime/detect/racing.h"
#include "runtime/detect/shadow.h"

namespace heddle::runtime {

// More than one thread has been at work: an access may race.
inline bool may_race() { return g_ordering && g_run.racers > 1; }
// … or has: accesses are kept, whoever runs now.
inline bool keeps_accesses() { return g_ordering && g_run.thread_count > 1; }

void check_race(uint64_t address, uint64_t size, uint8_t flags, uint64_t pc);
// … of one cell, in which there is something.
void check_race_in(Cell* cell, uint64_t address, Access now);

// The thread has done as much here since it last gave anything away: whoever races with this access
// races with that one, and is known already.
inline bool is_repetition(const Access& now, const Access& old) {
  uint64_t a = word_of(now), b = word_of(old);
  return ((a ^ b) & kTimeAndThread) == 0 &&
         (a & ~b & (kBytesInWord | flags_in_word(kWriteAccess))) == 0 &&
         (b & ~a & flags_in_word(kAtomicAccess | kSyncAccess)) == 0;
}

// Whoever races with `old`, after it, also races with `now`, or has raced in between.
inline bool covers(const Access& now, const Access& old, bool ordered) {
  uint64_t a = word_of(now), b = word_of(old);
  if (!ordered || (b & ~a & kBytesInWord) != 0 ||
      (a & ~b & flags_in_word(kAtomicAccess | kSyncAccess)) != 0)
    return false;
  if ((now.flags & kWriteAccess) != 0) return true;
  return (old.flags & kWriteAccess) == 0 && old.thread == now.thread;
}

// What most accesses are is told at once: the first of a cell, a repetition of the only one that is
// kept of it, or one that happens after that and covers it.
__attribute__((noinline)) inline void note_access_of_several(uint64_t address, uint64_t size,
                                                             uint8_t flags, uint64_t pc) {
  uint64_t offset = address % 8;
  CellPage* page = nullptr;
  bool is_simple = offset + size <= 8 && !g_explore_races && !g_keep_calls && !g_clears_stack;
  const Thread* self = g_run.current;
  if (HEDDLE_LIKELY(is_simple)) page = near_page(address, self->index);
  if (HEDDLE_LIKELY(page != nullptr)) {
    const Order& order = order_of(self);
    auto bytes = static_cast<uint8_t>(((1u << size) - 1) << offset);
    Access now = make_access(pc, order.time, self->index, bytes, flags);
    Cell* cell = cell_of(page, address);
    if (is_empty(page, cell)) {
      *cell = {page->stamp, 0, now};
      return;
    }
    const Access& old = cell->first;
    if (is_repetition(now, old)) return note_repetition();
    if (cell->more == 0 && covers(now, old, old.time <= order.clock.get(old.thread))) {
      cell->first = now;
      return;
    }
    return check_race_in(cell, address, now);
  }
  check_race(address, size, flags, pc);
}

__attribute__((always_inline)) inline void note_access(uint64_t address, uint64_t size,
                                                       uint8_t flags, uint64_t pc) {
  if (may_race()) {
    note_access_of_several(address, size, flags, pc);
  } else if (!g_ordering) {
    note_repetition();
  }
}

}  // namespace heddle::runtime

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

// Of words of accesses: everything that races with `now`, as far as it is the same thread at the
// same time, races with `old`.
constexpr bool is_as_much(uint64_t now, uint64_t old) {
  return (now & ~old & (kBytesInWord | flags_in_word(kWriteAccess))) == 0 &&
         (old & ~now & flags_in_word(kAtomicAccess | kSyncAccess)) == 0;
}
// `now` is of all of the bytes of `old`, and in no weaker a way.
constexpr bool reaches_as_far(uint64_t now, uint64_t old) {
  return (old & ~now & kBytesInWord) == 0 &&
         (now & ~old & flags_in_word(kAtomicAccess | kSyncAccess)) == 0;
}
// … and then, if it comes after `old`, stands for it.
constexpr bool hides(uint64_t now, uint64_t old, bool by_same_thread) {
  return (now & flags_in_word(kWriteAccess)) != 0 ||
         ((old & flags_in_word(kWriteAccess)) == 0 && by_same_thread);
}

// The thread has done as much here since it last gave anything away: whoever races with this access
// races with that one, and is known already.
inline bool is_repetition(const Access& now, const Access& old) {
  uint64_t a = word_of(now), b = word_of(old);
  return ((a ^ b) & kTimeAndThread) == 0 && is_as_much(a, b);
}

// Whoever races with `old`, after it, also races with `now`, or has raced in between.
inline bool covers(const Access& now, const Access& old, bool ordered) {
  uint64_t a = word_of(now), b = word_of(old);
  return ordered && reaches_as_far(a, b) && hides(a, b, old.thread == now.thread);
}

// The cell has other accesses, or one of another kind.
void note_unlike_access(Cell* cell, uint64_t address, uint64_t pc, uint64_t now);

// Access::bytes of so many from an offset in their cell on.
struct BytesOfCell {
  uint8_t of[9][8];
  constexpr BytesOfCell() : of() {
    for (uint32_t size = 0; size <= 8; ++size) {
      for (uint32_t offset = 0; offset < 8; ++offset) {
        of[size][offset] = static_cast<uint8_t>(((1u << size) - 1) << offset);
      }
    }
  }
};
inline constexpr BytesOfCell kBytesOfCell;

// What most accesses are is told at once: the first of a cell, a repetition of the only one that is
// kept of it, or one that happens after that and covers it.
__attribute__((noinline)) inline void note_access_of_several(uint64_t address, uint64_t size,
                                                             uint8_t flags, uint64_t pc) {
  uint64_t offset = address % 8;
  CellPage* page = nullptr;
  bool is_simple = offset + size <= 8 && !(g_explore_races | g_keep_calls | g_clears_stack);
  const Thread* self = g_run.current;
  if (HEDDLE_LIKELY(is_simple)) page = near_page(address, self->index);
  if (HEDDLE_UNLIKELY(page == nullptr)) return check_race(address, size, flags, pc);
  const Order& order = order_of(self);
  uint64_t now = access_word(order.time, self->index, kBytesOfCell.of[size][offset], flags);
  Cell* cell = cell_of(page, address);
  if (is_empty(page, cell)) {
    cell->stamp = page->stamp;
    cell->more = 0;
    return keep_access(&cell->first, pc, now);
  }
  uint64_t old = word_of(cell->first);
  uint64_t differs = now ^ old;
  if ((differs & kTimeAndThread) == 0) {
    if (HEDDLE_LIKELY(is_as_much(now, old))) return note_repetition();
    return note_unlike_access(cell, address, pc, now);
  }
  // The same bytes, in the same way: only who comes after whom is to be told.
  bool is_alike = (differs & ~kTimeAndThread) == 0 && cell->more == 0;
  if (HEDDLE_UNLIKELY(!is_alike)) return note_unlike_access(cell, address, pc, now);
  uint32_t thread = thread_in_word(old);
  bool is_write = (flags & kWriteAccess) != 0;
  if (thread != self->index && (!is_write || time_in_word(old) > order.clock.get(thread))) {
    return check_race_in(cell, address, access_of(pc, now));
  }
  keep_access(&cell->first, pc, now);
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

// See races.h.
#include "runtime/detect/races.h"

#include "runtime/carrier/local_state.h"
#include "runtime/detect/calls.h"
#include "runtime/detect/counters.h"
#include "runtime/detect/heap.h"
#include "runtime/detect/misuse.h"
#include "runtime/detect/racing.h"
#include "runtime/detect/witness.h"
#include "runtime/ending/ending.h"

namespace heddle::runtime {

namespace {

// What is told of an access.
wire::Role role_of(uint8_t flags) {
  if ((flags & kFreeAccess) != 0) return wire::Role::freed;
  if ((flags & kSyncAccess) != 0) return wire::Role::used;
  bool write = (flags & kWriteAccess) != 0;
  if ((flags & kAtomicAccess) != 0)
    return write ? wire::Role::atomic_write : wire::Role::atomic_read;
  return write ? wire::Role::write : wire::Role::read;
}

void testify(const Access& access) {
  wire::Witness* witness = add_witness(role_of(access.flags), access.thread);
  witness->size = static_cast<uint32_t>(__builtin_popcount(access.bytes));
  stack_of_place(access.place, &witness->stack);
}

// Atomics and what is done to objects of the library are operations anyway.
void learn_place(const Access& access, const Access& other) {
  if ((access.flags & kAtomicAccess) != 0) return;
  bool is_effect = (access.flags & (kFreeAccess | kOutsideAccess)) != 0;
  if (is_effect ? g_learns_places : g_explore_races) {
    note_racing(pc_of_place(access.place), pc_of_place(other.place));
  }
}

__attribute__((noinline, cold)) void report_race(uint64_t cell_address, const Access& earlier,
                                                 const Access& later) {
  uint8_t flags = earlier.flags | later.flags;
  if ((flags & (kOutsideAccess | kSyncAccess)) == 0 && is_coverage_counter(cell_address)) return;
  if (g_explore_races || (flags & kOutsideAccess) != 0) {
    learn_place(earlier, later);
    learn_place(later, earlier);
    return;
  }
  // The same race whichever of the two comes first.
  uint64_t pc = pc_of_place(later.place);
  uint64_t key = mix(object_name(pc_of_place(earlier.place)), 0) + mix(object_name(pc), 0);
  bool is_race = (flags & kSyncAccess) == 0;
  if (is_race && is_suppressed_race(key_of_race(key))) return;
  if (g_run.detail) {
    uint8_t common = earlier.bytes & later.bytes;
    set_disputed(cell_address + static_cast<uint64_t>(__builtin_ctz(common)));
    testify(later);
    testify(earlier);
    testify_block(cell_address);
  }
  if (!is_race) {
    end_with_failure(wire::Failure::use_after_free, pc, key,
                     "frees memory with " HEDDLE_OBJECT
                     " in it, which %s uses; nothing makes the free wait for that",
                     ThreadName(earlier.thread).text);
  }
  end_with_race(pc, key);
}

bool conflict(uint8_t a, uint8_t b) {
  if (((a | b) & kSyncAccess) != 0) return ((a | b) & kFreeAccess) != 0;
  return ((a | b) & kWriteAccess) != 0 && (a & b & kAtomicAccess) == 0;
}

// Whether the place of an access may yet have to be learnt, which others do not stand for.
__attribute__((noinline, cold)) bool is_to_be_learnt(const Access& access) {
  if ((access.flags & kAtomicAccess) != 0) return false;
  return (g_explore_races || (access.flags & kOutsideAccess) != 0) &&
         !is_racing(pc_of_place(access.place));
}

// True if the access `old` is to be kept beside `now`.
template <bool kLearns>
__attribute__((always_inline)) inline bool survives(uint64_t address, const Access& old,
                                                    const Access& now, const Clock& clock) {
  bool ordered = old.time <= clock.get(old.thread);
  if (!ordered && (old.bytes & now.bytes) != 0 && conflict(old.flags, now.flags)) {
    report_race(address & ~uint64_t{7}, old, now);
  }
  if (!covers(now, old, ordered)) return true;
  return kLearns && pc_of_place(old.place) != pc_of_place(now.place) && is_to_be_learnt(old);
}

bool is_repetition(const Access& now, const Cell* cell, const MoreAccesses* more) {
  if (is_repetition(now, cell->first)) return true;
  for (uint32_t i = 0; more != nullptr && i < more->count; ++i) {
    if (is_repetition(now, more->at[i])) return true;
  }
  return false;
}

// With kLearns all places are to be learnt, not one of each thread.
template <bool kLearns>
inline void check_kept(Cell* cell, uint64_t address, const Access& now, const Clock& clock) {
  MoreAccesses* more = more_of(cell);
  if (!kLearns && is_repetition(now, cell, more)) return;
  bool first_stays = survives<kLearns>(address, cell->first, now, clock);
  if (more == nullptr) {
    if (first_stays) {
      add_more(cell, now);
    } else {
      cell->first = now;
    }
    return;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < more->count; ++i) {
    if (!survives<kLearns>(address, more->at[i], now, clock)) continue;
    if (kept != i) more->at[kept] = more->at[i];
    ++kept;
  }
  more->count = kept;
  if (first_stays) {
    add_more(cell, now);
  } else {
    cell->first = now;
    if (kept == 0) cell->more = 0;
  }
}

inline void check_cell(CellPage* page, uint64_t address, const Access& now, const Clock& clock) {
  Cell* cell = cell_of(page, address);
  if (is_empty(page, cell)) {
    *cell = {page->stamp, 0, now};
  } else if (g_explore_races || (now.flags & kOutsideAccess) != 0) {
    check_kept<true>(cell, address, now, clock);
  } else {
    check_kept<false>(cell, address, now, clock);
  }
}

__attribute__((noinline)) void check_cells(uint64_t address, uint64_t size, uint8_t flags,
                                           uint64_t pc) {
  const Thread* self = g_run.current;
  const Clock& clock = order_of(self).clock;
  Access now{keep_place(pc), time_of(self), static_cast<uint16_t>(self->index), 0, flags};
  CellPage* page = nullptr;
  while (size > 0) {
    if (page == nullptr || address >> CellPage::kBits != page->number) page = shadow_page(address);
    uint64_t offset = address % 8;
    uint64_t part = size < 8 - offset ? size : 8 - offset;
    now.bytes = static_cast<uint8_t>(((1u << part) - 1) << offset);
    check_cell(page, address, now, clock);
    address += part;
    size -= part;
  }
}

}  // namespace

namespace {

// An atomic read, where all that is kept is atomic: there is nothing to conflict with, and it
// stands for what its own thread has read before, and for nothing else. Variables that many threads
// read would take long otherwise.
void keep_atomic_read(Cell* cell, MoreAccesses* more, const Access& now) {
  uint32_t count = more->count;
  uint32_t own = 0;  // the first of the thread's own, and so on from there
  while (own < count && more->at[own].thread != now.thread) ++own;
  for (uint32_t i = own; i < count; ++i) {
    if (is_repetition(now, more->at[i])) return;
  }
  uint32_t kept = own;
  for (uint32_t i = own; i < count; ++i) {
    const Access& old = more->at[i];
    if (old.thread == now.thread && covers(now, old, true)) continue;
    if (kept != i) more->at[kept] = old;
    ++kept;
  }
  more->count = kept;
  const Access& first = cell->first;
  if (first.thread != now.thread || !covers(now, first, true)) return add_more(cell, now);
  cell->first = now;
  if (kept == 0) cell->more = 0;
}

}  // namespace

void note_unlike_access(Cell* cell, uint64_t address, uint64_t pc, uint64_t now) {
  Access access = access_of(pc, now);
  const Access& old = cell->first;
  const Clock& clock = order_of(g_run.current).clock;
  if (MoreAccesses* more = more_of(cell)) {
    if (access.flags == kAtomicAccess && more->are_atomic && is_atomic(old.flags)) {
      return keep_atomic_read(cell, more, access);
    }
    for (uint32_t i = 0; i < more->count; ++i) {
      uint64_t other = word_of(more->at[i]);
      if (((now ^ other) & kTimeAndThread) == 0 && is_as_much(now, other)) return;
    }
  } else if (covers(access, old, old.time <= clock.get(old.thread))) {
    cell->first = access;
    return;
  }
  check_kept<false>(cell, address, access, clock);
}

void check_race_in(Cell* cell, uint64_t address, Access now) {
  check_kept<false>(cell, address, now, order_of(g_run.current).clock);
}

void check_race(uint64_t address, uint64_t size, uint8_t flags, uint64_t pc) {
  constexpr uint64_t kDeepest = 512;
  note_repetition();  // it may be one
  check_cells(address, size, flags, pc);
  if (HEDDLE_UNLIKELY(g_clears_stack)) clear_dead_stack(g_run.current, kDeepest);
}

}  // namespace heddle::runtime

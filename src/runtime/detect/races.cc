// See races.h.
#include "runtime/detect/races.h"

#include "runtime/detect/calls.h"
#include "runtime/detect/ending.h"
#include "runtime/detect/witness.h"

namespace heddle::runtime {

namespace {

// What is told of an access.
wire::Role role_of(uint8_t flags) {
  if ((flags & kFreeAccess) != 0) return wire::Role::freed;
  bool write = (flags & kWriteAccess) != 0;
  if ((flags & kAtomicAccess) != 0)
    return write ? wire::Role::atomic_write : wire::Role::atomic_read;
  return write ? wire::Role::write : wire::Role::read;
}

void testify(const Access& access) {
  wire::Witness* witness = add_witness(role_of(access.flags), access.thread);
  witness->size = static_cast<uint32_t>(__builtin_popcount(access.bytes));
  stack_of_place(access.pc, &witness->stack);
}

[[noreturn]] void report_race(uint64_t cell_address, const Access& earlier, const Access& later) {
  if (g_run.detail) {
    uint8_t common = earlier.bytes & later.bytes;
    set_disputed(cell_address + static_cast<uint64_t>(__builtin_ctz(common)));
    testify(later);
    testify(earlier);
  }
  // The same race whichever of the two comes first.
  uint64_t pc = pc_of_place(later.pc);
  end_with_race(pc, object_name(pc_of_place(earlier.pc)) + object_name(pc));
}

bool conflict(uint8_t a, uint8_t b) {
  return ((a | b) & kWriteAccess) != 0 && (a & b & kAtomicAccess) == 0;
}

// Whoever races with `old`, after it, also races with `now`, or has raced in between.
bool covers(const Access& now, const Access& old, bool ordered) {
  if (!ordered || (old.bytes & ~now.bytes) != 0 ||
      (now.flags & kAtomicAccess) > (old.flags & kAtomicAccess))
    return false;
  if ((now.flags & kWriteAccess) != 0) return true;
  return (old.flags & kWriteAccess) == 0 && old.thread == now.thread;
}

void check_cell(uint64_t address, const Access& now) {
  Cell* cell = shadow_cell(address);
  Access* accesses = accesses_of(cell);
  const Clock& clock = order_of(g_run.current).clock;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < cell->count; ++i) {
    const Access& old = accesses[i];
    bool ordered = old.time <= clock.get(old.thread);
    if (!ordered && (old.bytes & now.bytes) != 0 && conflict(old.flags, now.flags))
      report_race(address & ~uint64_t{7}, old, now);
    if (!covers(now, old, ordered)) accesses[kept++] = old;
  }
  cell->count = kept;
  add_access(cell, now);
}

}  // namespace

void check_access(uint64_t address, uint64_t size, uint8_t flags, uint64_t pc) {
  const Thread* self = g_run.current;
  Access now{keep_place(pc), time_of(self), static_cast<uint16_t>(self->index), 0, flags};
  while (size > 0) {
    uint64_t offset = address % 8;
    uint64_t part = size < 8 - offset ? size : 8 - offset;
    now.bytes = static_cast<uint8_t>(((1u << part) - 1) << offset);
    check_cell(address, now);
    address += part;
    size -= part;
  }
}

}  // namespace heddle::runtime

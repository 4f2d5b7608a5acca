// A plain or volatile access of instrumented code: an operation, where it is one, and what the
// detectors say to it.
#pragma once

#include "runtime/detect/heap.h"
#include "runtime/detect/races.h"
#include "runtime/detect/racing.h"
#include "runtime/filter/spin.h"
#include "runtime/filter/until.h"
#include "runtime/record/retry.h"

namespace heddle::runtime {

__attribute__((always_inline)) inline void note_plain_access(uint64_t object, uint64_t size,
                                                             bool write, uint64_t pc) {
  if (write) note_plain_write(object);
  note_access(object, size, write ? kWriteAccess : 0, pc);
}

// Memory that has to be looked at more closely: of a block's end, or of none.
__attribute__((noinline)) inline void check_odd_access(uint64_t object, uint64_t size, bool write,
                                                       uint64_t pc) {
  check_heap_slow(object, size, write ? wire::Role::write : wire::Role::read, pc);
  note_plain_access(object, size, write, pc);
}

// What comes last is what is called, so that most accesses save no registers.
__attribute__((always_inline)) inline void check_access(uint64_t object, uint64_t size, bool write,
                                                        uint64_t pc) {
  if (HEDDLE_UNLIKELY(is_odd_access(object, size))) {
    return check_odd_access(object, size, write, pc);
  }
  note_plain_access(object, size, write, pc);
}

// A read that is an operation: see spin.h. What can hardly be an address is left to the program to
// fault at.
inline void note_read_of(uint64_t object, uint64_t size) {
  constexpr uint64_t kLowest = 65536;
  uint64_t value = 0;
  if (size > sizeof value || object < kLowest || object >> 47 != 0) return note_write();
  __builtin_memcpy(&value, reinterpret_cast<const void*>(object), size);
  note_read(value);
}

__attribute__((noinline)) inline void access_as_operation(wire::Op op, uint64_t object,
                                                          uint8_t size, uint64_t pc) {
  reach(op, object, pc, size);
  if (HEDDLE_UNLIKELY(g_last_retries)) retry_written(object);
  check_access(object, size, op == wire::Op::write, pc);
  if (op == wire::Op::read) note_read_of(object, size);
}

inline bool is_operation(wire::Op op, uint64_t object, uint64_t size, uint64_t pc) {
  if ((g_plain_accesses & kAllAccesses) != 0 || is_racing(pc)) return true;
  return (g_plain_accesses & kWatchedAccesses) != 0 &&
         until_wants_access(object, size, op == wire::Op::write, pc);
}

// In a rehearsal: see record/retry.h.
inline bool is_rehearsed(wire::Op op, uint64_t object, uint64_t size) {
  return (g_plain_accesses & kRoundsAccesses) != 0 &&
         retry_access(object, size, op == wire::Op::write);
}

__attribute__((noinline)) inline void access_to_look_at(wire::Op op, uint64_t object, uint8_t size,
                                                        uint64_t pc) {
  if (is_operation(op, object, size, pc)) return access_as_operation(op, object, size, pc);
  if (is_rehearsed(op, object, size)) return;
  check_access(object, size, op == wire::Op::write, pc);
}

// Out of line, so that a hook that has nothing to do is one branch and nothing else.
__attribute__((noinline)) inline void controlled_access(wire::Op op, const void* address,
                                                        uint8_t size, uint64_t pc) {
  auto object = reinterpret_cast<uint64_t>(address);
  if (HEDDLE_UNLIKELY(g_plain_accesses != 0 || is_racing(pc))) {
    return access_to_look_at(op, object, size, pc);
  }
  check_access(object, size, op == wire::Op::write, pc);
}

inline void access(wire::Op op, const void* address, uint8_t size, uint64_t pc) {
  if (HEDDLE_UNLIKELY(g_active)) controlled_access(op, address, size, pc);
}

__attribute__((noinline)) inline void controlled_volatile_access(wire::Op op, const void* address,
                                                                 uint8_t size, uint64_t pc) {
  auto object = reinterpret_cast<uint64_t>(address);
  reach(op, object, pc, size);
  if (HEDDLE_UNLIKELY(g_last_retries)) retry_written(object);
  check_access(object, size, op == wire::Op::volatile_write, pc);
  if (op == wire::Op::volatile_read) note_read_of(object, size);
}

inline void volatile_access(wire::Op op, const void* address, uint8_t size, uint64_t pc) {
  if (HEDDLE_UNLIKELY(g_active)) controlled_volatile_access(op, address, size, pc);
}

// A range that is an operation, on all of its bytes. Where a structure is assigned, and in memcpy,
// one is read and another written, in either order, and the bytes are moved after both hooks: the
// second of the two is then both, in one step.
inline void reach_access_range(wire::Op op, uint64_t object, uint64_t size, uint64_t pc) {
  const Pending& last = g_run.current->pending;
  bool follows = last.bytes == size && !last.copies && latest_step().thread == g_run.current->index;
  // Also of what is copied onto itself: else its second half would be taken for the first half of
  // what comes next.
  if (follows && op == wire::Op::write && last.op == wire::Op::read) {
    reach_range(op, object, size, pc, last.object);
  } else if (follows && op == wire::Op::read && last.op == wire::Op::write) {
    reach_range(last.op, last.object, size, pc, object);
  } else if (size <= 8) {
    reach(op, object, pc, static_cast<uint8_t>(size));
  } else {
    reach_range(op, object, size, pc);
  }
}

inline void range(wire::Op op, const void* address, uint64_t size, uint64_t pc) {
  if (HEDDLE_LIKELY(!g_active) || size == 0) return;
  auto object = reinterpret_cast<uint64_t>(address);
  if (is_operation(op, object, size, pc)) {
    reach_access_range(op, object, size, pc);
  } else if (is_rehearsed(op, object, size)) {
    return;
  }
  check_access(object, size, op == wire::Op::write, pc);
}

}  // namespace heddle::runtime

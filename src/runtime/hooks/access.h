// A plain or volatile access of instrumented code: an operation, where it is one, and what the
// detectors say to it.
#pragma once

#include "runtime/detect/heap.h"
#include "runtime/detect/races.h"
#include "runtime/detect/racing.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

__attribute__((always_inline)) inline void check_access(uint64_t object, uint64_t size, bool write,
                                                        uint64_t pc) {
  check_heap(object, size, write ? wire::Role::write : wire::Role::read, pc);
  note_access(object, size, write ? kWriteAccess : 0, pc);
}

// Out of line, so that a hook that has nothing to do is one branch and nothing else.
__attribute__((noinline)) inline void controlled_access(wire::Op op, const void* address,
                                                        uint8_t size, uint64_t pc) {
  auto object = reinterpret_cast<uint64_t>(address);
  if (g_all_accesses || is_racing(pc)) reach(op, object, pc, size);
  check_access(object, size, op == wire::Op::write, pc);
}

inline void access(wire::Op op, const void* address, uint8_t size, uint64_t pc) {
  if (HEDDLE_UNLIKELY(g_active)) controlled_access(op, address, size, pc);
}

__attribute__((noinline)) inline void controlled_volatile_access(wire::Op op, const void* address,
                                                                 uint8_t size, uint64_t pc) {
  auto object = reinterpret_cast<uint64_t>(address);
  reach(op, object, pc, size);
  check_access(object, size, op == wire::Op::volatile_write, pc);
}

inline void volatile_access(wire::Op op, const void* address, uint8_t size, uint64_t pc) {
  if (HEDDLE_UNLIKELY(g_active)) controlled_volatile_access(op, address, size, pc);
}

// A range is one operation, on its first byte; it races with all of them.
inline void range(wire::Op op, const void* address, uint64_t size, uint64_t pc) {
  if (HEDDLE_LIKELY(!g_active) || size == 0) return;
  auto object = reinterpret_cast<uint64_t>(address);
  if (g_all_accesses || is_racing(pc))
    reach(op, object, pc, size <= 8 ? static_cast<uint8_t>(size) : 0);
  check_access(object, size, op == wire::Op::write, pc);
}

}  // namespace heddle::runtime

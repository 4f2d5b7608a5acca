// What the compiler calls for plain and volatile accesses, and at the entry and exit of functions.
//
// A plain access is an operation only with --accesses all; a volatile one always, since programs of
// before C++11 synchronise with them.
#include "runtime/decide/guide.h"
#include "runtime/detect/calls.h"
#include "runtime/hooks/access.h"
#include "runtime/hooks/instrumented.h"
#include "runtime/record/focus.h"
#include "runtime/record/names.h"

using namespace heddle;
using namespace heddle::runtime;

namespace heddle::runtime {

uint8_t g_plain_accesses;

}  // namespace heddle::runtime

// The entry or exit of a function, where a script waits for it, is an operation.
static void reach_call(uint64_t pc, uint64_t return_address, uint64_t sp) {
  const char* text = until_wants_call(pc, return_address, sp);
  if (text == nullptr) return;
  auto object = reinterpret_cast<uint64_t>(text);
  if (g_run.detail && !has_name(object)) name_object(object, 1, text);
  reach(wire::Op::label, object, pc);
}

// The call of a function, at a place of the route, is one.
static void reach_call_of_route(uint64_t pc, uint64_t return_address) {
  RouteCall call = route_call(pc, return_address);
  if (call.place == wire::kMaxRoute) return;
  if (g_run.detail && !has_name(call.pc)) {
    name_object(call.pc, 1, g_region->places.route.texts[call.place]);
  }
  reach(wire::Op::label, call.pc, call.pc);
}

// In the caller, as it calls.
#define HEDDLE_STACK_POINTER reinterpret_cast<uint64_t>(__builtin_dwarf_cfa())

#define HEDDLE_ACCESS_HOOKS(size)                                            \
  HEDDLE_EXPORT void __tsan_read##size(void* address) {                      \
    access(wire::Op::read, address, size, HEDDLE_CALLER);                    \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_write##size(void* address) {                     \
    access(wire::Op::write, address, size, HEDDLE_CALLER);                   \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_read_write##size(void* address) {                \
    access(wire::Op::read, address, size, HEDDLE_CALLER);                    \
    access(wire::Op::write, address, size, HEDDLE_CALLER);                   \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_volatile_read##size(void* address) {             \
    volatile_access(wire::Op::volatile_read, address, size, HEDDLE_CALLER);  \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_volatile_write##size(void* address) {            \
    volatile_access(wire::Op::volatile_write, address, size, HEDDLE_CALLER); \
  }

#define HEDDLE_UNALIGNED_HOOKS(size)                                         \
  HEDDLE_EXPORT void __tsan_unaligned_read##size(void* address) {            \
    access(wire::Op::read, address, size, HEDDLE_CALLER);                    \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_unaligned_write##size(void* address) {           \
    access(wire::Op::write, address, size, HEDDLE_CALLER);                   \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_unaligned_read_write##size(void* address) {      \
    access(wire::Op::read, address, size, HEDDLE_CALLER);                    \
    access(wire::Op::write, address, size, HEDDLE_CALLER);                   \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_unaligned_volatile_read##size(void* address) {   \
    volatile_access(wire::Op::volatile_read, address, size, HEDDLE_CALLER);  \
  }                                                                          \
  HEDDLE_EXPORT void __tsan_unaligned_volatile_write##size(void* address) {  \
    volatile_access(wire::Op::volatile_write, address, size, HEDDLE_CALLER); \
  }

HEDDLE_ACCESS_HOOKS(1)
HEDDLE_ACCESS_HOOKS(2)
HEDDLE_ACCESS_HOOKS(4)
HEDDLE_ACCESS_HOOKS(8)
HEDDLE_ACCESS_HOOKS(16)
HEDDLE_UNALIGNED_HOOKS(2)
HEDDLE_UNALIGNED_HOOKS(4)
HEDDLE_UNALIGNED_HOOKS(8)
HEDDLE_UNALIGNED_HOOKS(16)

HEDDLE_EXPORT void __tsan_read_range(void* address, uint64_t size) {
  range(wire::Op::read, address, size, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_write_range(void* address, uint64_t size) {
  range(wire::Op::write, address, size, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_vptr_read(void** address) {
  access(wire::Op::read, address, 8, HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_vptr_update(void** address, void* value) {
  if (*address != value) access(wire::Op::write, address, 8, HEDDLE_CALLER);
}

HEDDLE_EXPORT void* __tsan_memcpy(void* to, const void* from, uint64_t size) {
  range(wire::Op::read, from, size, HEDDLE_CALLER);
  range(wire::Op::write, to, size, HEDDLE_CALLER);
  return __builtin_memcpy(to, from, size);
}
HEDDLE_EXPORT void* __tsan_memmove(void* to, const void* from, uint64_t size) {
  range(wire::Op::read, from, size, HEDDLE_CALLER);
  range(wire::Op::write, to, size, HEDDLE_CALLER);
  return __builtin_memmove(to, from, size);
}
HEDDLE_EXPORT void* __tsan_memset(void* to, int value, uint64_t size) {
  range(wire::Op::write, to, size, HEDDLE_CALLER);
  return __builtin_memset(to, value, size);
}

// Calls are kept for the executions that are shown, and for functions that are in focus; else the
// search does without.
HEDDLE_EXPORT void __tsan_func_entry(void* return_address) {
  if (HEDDLE_LIKELY(!g_follow_calls) || !g_active || g_rehearses) return;
  auto caller = reinterpret_cast<uint64_t>(return_address);
  if (g_focus_calls) focus_entered(HEDDLE_CALLER, caller, HEDDLE_STACK_POINTER);
  if (g_track_calls) call_entered(caller);
  if (HEDDLE_UNLIKELY(g_route_tells_calls)) reach_call_of_route(HEDDLE_CALLER, caller);
  if (HEDDLE_UNLIKELY(g_watches_calls)) {
    reach_call(HEDDLE_CALLER, caller, HEDDLE_STACK_POINTER);
  }
}
HEDDLE_EXPORT void __tsan_func_exit() {
  if (HEDDLE_LIKELY(!g_follow_calls) || !g_active || g_rehearses) return;
  if (HEDDLE_UNLIKELY(g_watches_calls)) {
    reach_call(HEDDLE_CALLER, 0, HEDDLE_STACK_POINTER);
  }
  if (g_focus_calls) focus_left(HEDDLE_STACK_POINTER);
  if (g_track_calls) call_left();
}
// Each instrumented file calls it before main.
HEDDLE_EXPORT void __tsan_init() { note_instrumented(HEDDLE_CALLER); }
HEDDLE_EXPORT void __tsan_ignore_thread_begin() {}
HEDDLE_EXPORT void __tsan_ignore_thread_end() {}

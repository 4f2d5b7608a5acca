// Misuse: a thread uses an object of its library in a way for which the standard promises nothing.
// Where it promises an error code, the program gets that instead.
//
// Messages say what the thread does, without naming it: "unlocks mutex …, which is not locked". The
// object stands in them as HEDDLE_OBJECT; the engine knows its name.
#pragma once

#include "runtime/thread.h"

#define HEDDLE_OBJECT "\1"
static_assert(HEDDLE_OBJECT[0] == heddle::wire::kObjectMark);

namespace heddle::runtime {

// The execution ends: the running thread misuses `object` (an address; 0: none that has a name).
[[noreturn]] void end_with_misuse(uint64_t object, uint64_t pc, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// … which was destroyed. `kind` is the object's: "mutex".
[[noreturn]] void end_with_use_of_destroyed(const char* kind, uint64_t object, uint64_t pc);

// How people read a thread's path: "main", "T2", "T2.1".
struct ThreadName {
  explicit ThreadName(const Thread* thread);
  explicit ThreadName(uint32_t index);
  char text[256];
};

}  // namespace heddle::runtime

// What a library's function reads and writes for the code that calls it: accesses of that code, if
// it is instrumented. Calls from anywhere else are none.
#pragma once

#include "runtime/before.h"
#include "runtime/hooks/access.h"
#include "runtime/hooks/instrumented.h"

namespace heddle::runtime {

inline bool counts(uint64_t pc) { return HEDDLE_UNLIKELY(g_active) && is_instrumented(pc); }

inline void reads(const void* from, size_t size, uint64_t pc) {
  if (counts(pc)) range(wire::Op::read, from, size, pc);
}
inline void writes(const void* to, size_t size, uint64_t pc) {
  if (counts(pc)) range(wire::Op::write, to, size, pc);
}
inline void copies(const void* to, const void* from, size_t size, uint64_t pc) {
  if (!counts(pc)) return;
  range(wire::Op::read, from, size, pc);
  range(wire::Op::write, to, size, pc);
}

// How much was written is known only now.
inline void has_written(const void* to, size_t size, uint64_t pc) {
  no_round();
  if (counts(pc) && size > 0) check_access(reinterpret_cast<uint64_t>(to), size, true, pc);
}

// The bytes of a text with its end. libc's strlen may be ours.
inline size_t text_bytes(const char* text) {
  size_t size = 0;
  while (text[size] != '\0') ++size;
  return size + 1;
}

// As many bytes as a function looks at that stops at the end of the text, or after `limit`.
inline size_t text_bytes(const char* text, size_t limit) {
  size_t size = 0;
  while (size < limit && text[size] != '\0') ++size;
  return size < limit ? size + 1 : limit;
}

}  // namespace heddle::runtime

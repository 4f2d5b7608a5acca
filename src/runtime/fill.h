// Bytes that are set, most of the time to nothing and a few of them, and copied: without a call,
// which here would lead through the hook that watches the program's own.
#pragma once

#include <cstdint>

#include "runtime/real.h"

namespace heddle::runtime {

inline void fill(void* to, uint8_t value, uint64_t size) {
  constexpr uint64_t kFew = 128;
  if (size > kFew) {
    HEDDLE_REAL(memset)(to, value, size);
    return;
  }
  char* at = static_cast<char*>(to);
  uint64_t word = 0x0101010101010101 * value;
  for (; size >= 8; size -= 8, at += 8) {
    __builtin_memcpy(at, &word, 8);
    __asm__ volatile("" : "+r"(at));  // or it is taken for a memset after all
  }
  for (; size > 0; --size) {
    *at++ = static_cast<char>(value);
    __asm__ volatile("" : "+r"(at));
  }
}

// Bytes that are copied, likewise.
inline void copy(void* to, const void* from, uint64_t size) {
  constexpr uint64_t kFew = 128;
  if (size > kFew) {
    HEDDLE_REAL(memcpy)(to, from, size);
    return;
  }
  char* at = static_cast<char*>(to);
  const char* source = static_cast<const char*>(from);
  for (; size >= 8; size -= 8, at += 8, source += 8) {
    uint64_t word;
    __builtin_memcpy(&word, source, 8);
    __builtin_memcpy(at, &word, 8);
    __asm__ volatile("" : "+r"(at));  // or it is taken for a memcpy after all
  }
  for (; size > 0; --size) {
    *at++ = *source++;
    __asm__ volatile("" : "+r"(at));
  }
}

// A multiple of 64 bytes, aligned: a string instruction takes its time to begin.
inline void clear_lines(void* to, uint64_t size) {
  typedef uint64_t __attribute__((vector_size(16), may_alias)) Two;
  Two* at = static_cast<Two*>(to);
  Two* end = at + size / sizeof(Two);
  for (; at != end; at += 4) {
    at[0] = at[1] = at[2] = at[3] = Two{};
    __asm__ volatile("" : "+r"(at));  // or it is taken for a memset after all
  }
}

}  // namespace heddle::runtime

// memcpy and its kin: what libc reads and writes on behalf of instrumented code are accesses of
// that code. Calls from anywhere else go straight to libc.
#include "runtime/hooks/library.h"

#include <string.h>

#include "runtime/real.h"

// The search for libc's functions may itself come by here: it has found these first.
#define HEDDLE_LIBC(name) (HEDDLE_LIKELY(real::name != nullptr) ? real::name : HEDDLE_REAL(name))

using namespace heddle;
using namespace heddle::runtime;

namespace {

// A comparison reads as far as it has to.
size_t compared_bytes(const char* a, const char* b, size_t limit) {
  size_t i = 0;
  while (i < limit && a[i] == b[i] && a[i] != '\0') ++i;
  return i < limit ? i + 1 : limit;
}

}  // namespace

HEDDLE_EXPORT void* memcpy(void* to, const void* from, size_t size) noexcept {
  copies(to, from, size, HEDDLE_CALLER);
  return HEDDLE_LIBC(memcpy)(to, from, size);
}

HEDDLE_EXPORT void* memmove(void* to, const void* from, size_t size) noexcept {
  copies(to, from, size, HEDDLE_CALLER);
  return HEDDLE_LIBC(memmove)(to, from, size);
}

HEDDLE_EXPORT void* memset(void* to, int value, size_t size) noexcept {
  writes(to, size, HEDDLE_CALLER);
  return HEDDLE_LIBC(memset)(to, value, size);
}

HEDDLE_EXPORT int memcmp(const void* a, const void* b, size_t size) noexcept {
  reads(a, size, HEDDLE_CALLER);
  reads(b, size, HEDDLE_CALLER);
  return HEDDLE_LIBC(memcmp)(a, b, size);
}

// What Clang makes of a memcmp that only asks whether there is a difference.
HEDDLE_EXPORT int bcmp(const void* a, const void* b, size_t size) noexcept {
  reads(a, size, HEDDLE_CALLER);
  reads(b, size, HEDDLE_CALLER);
  return HEDDLE_LIBC(memcmp)(a, b, size);
}

HEDDLE_EXPORT size_t strlen(const char* text) noexcept {
  size_t size = HEDDLE_LIBC(strlen)(text);
  reads(text, size + 1, HEDDLE_CALLER);
  return size;
}

HEDDLE_EXPORT char* strcpy(char* to, const char* from) noexcept {
  if (counts(HEDDLE_CALLER)) copies(to, from, HEDDLE_LIBC(strlen)(from) + 1, HEDDLE_CALLER);
  return HEDDLE_LIBC(strcpy)(to, from);
}

HEDDLE_EXPORT char* strncpy(char* to, const char* from, size_t size) noexcept {
  if (counts(HEDDLE_CALLER)) {
    size_t length = strnlen(from, size);
    reads(from, length < size ? length + 1 : size, HEDDLE_CALLER);
    writes(to, size, HEDDLE_CALLER);
  }
  return HEDDLE_LIBC(strncpy)(to, from, size);
}

HEDDLE_EXPORT int strcmp(const char* a, const char* b) noexcept {
  if (counts(HEDDLE_CALLER)) {
    size_t size = compared_bytes(a, b, SIZE_MAX);
    reads(a, size, HEDDLE_CALLER);
    reads(b, size, HEDDLE_CALLER);
  }
  return HEDDLE_LIBC(strcmp)(a, b);
}

HEDDLE_EXPORT int strncmp(const char* a, const char* b, size_t limit) noexcept {
  if (counts(HEDDLE_CALLER)) {
    size_t size = compared_bytes(a, b, limit);
    reads(a, size, HEDDLE_CALLER);
    reads(b, size, HEDDLE_CALLER);
  }
  return HEDDLE_LIBC(strncmp)(a, b, limit);
}

// Plain data at the end of an array of bytes.
#pragma once

#include <cstdint>

#include "base/array.h"

namespace heddle::causality {

// The values take a multiple of 8 bytes.
template <typename T>
void append(Array<char>* out, const T* values, uint64_t count) {
  uint64_t size = out->size();
  out->resize(size + count * sizeof(T));
  const char* bytes = reinterpret_cast<const char*>(values);
  for (uint64_t i = 0; i < count * sizeof(T); i += 8) {
    __builtin_memcpy(out->begin() + size + i, bytes + i, 8);
  }
}

}  // namespace heddle::causality

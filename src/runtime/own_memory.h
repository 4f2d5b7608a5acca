// Memory of the runtime's own: zero, page by page as it is touched, and no part of the program's.
#pragma once

#include <sys/mman.h>

#include "runtime/real.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

// Address space; it becomes memory where it is used.
inline void* own_memory(uint64_t bytes) {
  void* memory = HEDDLE_REAL(mmap)(nullptr, bytes, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  HEDDLE_INVARIANT(memory != MAP_FAILED);
  return memory;
}

}  // namespace heddle::runtime

// Errors with the program's heap: use after free, access beyond the end of a block, free of what is
// free already. What instrumented code does is seen access by access; what uninstrumented code does
// is not.
#pragma once

#include "runtime/isolate/addressable.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

void check_heap_slow(uint64_t address, uint64_t size, wire::Role role, uint64_t pc);

// False: the bytes are in a living block, or not in the heap.
inline bool is_odd_access(uint64_t address, uint64_t size) {
  return in_heap(address) && (*addressable_at(address) != kWhole || address % 8 + size > 8);
}

// The running thread accesses so many bytes from `address` on.
inline void check_heap(uint64_t address, uint64_t size, wire::Role role, uint64_t pc) {
  if (HEDDLE_UNLIKELY(is_odd_access(address, size))) check_heap_slow(address, size, role, pc);
}

// The running thread frees it: ends the execution if it must not.
void check_free(uint64_t pointer, uint64_t pc);

// What happened to a block, kept for the report of an execution that is shown.
void block_allocated(uint64_t pointer, uint64_t size);
void block_freed(uint64_t pointer);
void blocks_reset();

// A witness of where the block around `address` was allocated, if it is in one.
void testify_block(uint64_t address);

// The program has ended normally: whether it has freed everything (--leaks).
void check_leaks();

}  // namespace heddle::runtime

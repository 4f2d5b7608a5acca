// The life of memory: whoever uses a block, or an object of the library in it, must be done before
// somebody frees, unmaps or protects it.
//
// That an end of life is no operation saves the search a step for each private block. It becomes
// one where the order can matter: where another thread has used the memory and nothing orders the
// two. With --races fail that is a failure in itself, whichever comes first. Otherwise the place
// becomes an operation (racing.h), and the search begins again.
#pragma once

#include "runtime/detect/heap.h"
#include "runtime/detect/races.h"
#include "runtime/isolate/addressable.h"
#include "runtime/isolate/leftovers.h"

namespace heddle::runtime {

// The running thread uses an object of the library, a mutex for example: it must be there.
inline void check_object(uint64_t address, uint64_t size, uint64_t pc) {
  check_heap(address, size, wire::Role::write, pc);
  if (in_heap(address) || HEDDLE_UNLIKELY(g_has_mappings)) {
    note_access(address, 1, kWriteAccess | kAtomicAccess | kSyncAccess, pc);
  }
}

// Whether the byte belongs to a block that was freed.
inline bool is_freed(uint64_t address) {
  return in_heap(address) && HEDDLE_UNLIKELY(*addressable_at(address) == kFreedBytes);
}

// The running thread is about to initialise an object of the library. As with an end of life, that
// is an operation only where another thread uses the object and nothing orders the two; whichever
// comes first.
void note_making(uint64_t object, uint64_t pc);

// The running thread is about to end the life of these bytes: an operation, where the place is one.
void reach_end_of_life(wire::Op op, uint64_t address, uint64_t bytes, uint64_t pc);
// … and has the right to do so. What others do with them at the same time is noticed.
void note_end_of_life(uint64_t address, uint64_t bytes, uint64_t pc);
// It has. Who waits for an object there goes on, and finds out.
void release_waiters(uint64_t address, uint64_t bytes);

}  // namespace heddle::runtime

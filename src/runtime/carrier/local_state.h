// What a thread goes on with: the registers that its innermost function of the program keeps, how
// it computes, and its stack from there on. The runtime's own frames are no part of it.
#pragma once

#include "runtime/thread.h"

namespace heddle::runtime {

struct LocalState {
  uint64_t hash;   // 0: it cannot be told
  uint64_t depth;  // of the stack, in bytes
};

// Of the thread that calls, which has reached an operation. Of a stack deeper than `most` bytes
// only the innermost so many count. Pointers to memory that was freed are all the same, unless it
// is to be exact.
LocalState local_state(const Thread* self, uint64_t most, bool exact = false);

// Clears so much of what calls of the runtime have left below the frame that calls. Frames of the
// program are made there next, with parts that they never write: what stood there, the number of a
// step for example, would be taken for theirs.
extern bool g_clears_stack;  // in this execution local states matter: somebody yields, or may spin
void clear_dead_stack(const Thread* self, uint64_t bytes);

}  // namespace heddle::runtime

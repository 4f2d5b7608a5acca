// Stacks of the program, as reports show them.
#pragma once

#include "runtime/runtime.h"

namespace heddle::runtime {

// The stack of the calling thread, without the runtime's own innermost frames. In a signal handler:
// from the instruction `from` on, which was interrupted; empty if it is not found.
void capture_stack(wire::Stack* stack, uint64_t from = 0);

// Of the calling thread's frames, where the innermost is that is `wanted`, as a return address; 0:
// none is.
uint64_t innermost_frame(bool (*wanted)(uint64_t pc));

}  // namespace heddle::runtime

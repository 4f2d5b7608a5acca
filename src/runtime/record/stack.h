// Stacks of the program, as reports show them.
#pragma once

#include "runtime/runtime.h"

namespace heddle::runtime {

// The stack of the calling thread, without the runtime's own innermost frames. In a signal handler:
// from the instruction `from` on, which was interrupted; empty if it is not found.
void capture_stack(wire::Stack* stack, uint64_t from = 0);

}  // namespace heddle::runtime

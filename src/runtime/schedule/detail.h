// Details of an execution that is run once more to be shown: stacks and values. Slow, and only for
// wire::kDetail jobs; those that have a limit come to it.
#pragma once

#include "runtime/schedule/thread.h"

namespace heddle::runtime {

void detail_begin();
// The running thread has announced its operation: its stack is kept.
void detail_announce();
// … since it may not go on before the end.
void detail_stop();
// `thread` is about to take its pending step.
void detail_step(const Thread* thread);
// The execution is over: what every thread was at.
void detail_end();

// The stack of the calling thread, without the runtime's own innermost frames. In a signal handler:
// from the instruction `from` on, which was interrupted; empty if it is not found.
void capture_stack(wire::Stack* stack, uint64_t from = 0);

}  // namespace heddle::runtime

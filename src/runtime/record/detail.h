// Details of an execution that is run once more to be shown: stacks and values. Slow, and only for
// wire::kDetail jobs; those that have a limit come to it.
#pragma once

#include "runtime/thread.h"

namespace heddle::runtime {

void detail_begin();
// The thread has been created: it has no stack before it begins.
void detail_add(const Thread* thread);
// The running thread has announced its operation: its stack is kept.
void detail_announce();
// … since it may not go on before the end.
void detail_stop();
// `thread` is about to take its pending step.
void detail_step(const Thread* thread);
// The execution is over: what every thread was at.
void detail_end();

// Asked of sync/, which knows the objects:
// what reports show of the object of the thread's pending operation …
uint64_t shown_address(const Thread* thread);
// … and the index of a thread that holds that object; kNoThread if none does.
uint32_t holder_of(const Thread* thread);

}  // namespace heddle::runtime

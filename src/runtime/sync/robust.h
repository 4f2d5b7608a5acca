// Which robust mutexes a thread holds: those it leaves behind at its end. Kept by the runtime,
// since the program may have freed the memory by then.
#pragma once

#include "runtime/thread.h"

namespace heddle::runtime {

void note_robust(uint64_t mutex, const Thread* thread);
void forget_robust(uint64_t mutex);
// One that the thread holds, and holds no more by this account; 0: none.
uint64_t take_robust(const Thread* thread);
void robust_reset();

}  // namespace heddle::runtime

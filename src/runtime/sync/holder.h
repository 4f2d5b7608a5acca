// Who holds what a thread waits for.
#pragma once

#include "runtime/schedule/thread.h"

namespace heddle::runtime {

// The index of a thread that holds the object of `thread`'s pending operation; kNoThread if none
// does.
uint32_t holder_of(const Thread* thread);

}  // namespace heddle::runtime

// Threads that the runtime starts on behalf of the program.
#pragma once

#include <cstdint>

#include "runtime/thread.h"

namespace heddle::runtime {

// A detached thread that begins at a virtual moment, or whenever the schedule lets that moment
// come; it has to let time pass itself. Null: there are too many threads.
Thread* start_later(void* (*function)(void*), void* argument, int64_t moment, uint64_t pc);
// One of those, before it has begun, does not begin.
void drop_thread(Thread* thread);

}  // namespace heddle::runtime

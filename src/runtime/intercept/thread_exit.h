// What a thread leaves to be done at its end: destructors of its thread_locals, and of its keys'
// values.
#pragma once

#include "runtime/thread.h"

namespace heddle::runtime {

struct ThreadExit {
  void (*function)(void*);
  void* argument;
  ThreadExit* next;
};

// As the thread itself, last registered first.
void run_thread_exits(Thread* thread);
void thread_exits_reset();

}  // namespace heddle::runtime

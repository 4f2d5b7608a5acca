// Random numbers, of libc's generators and of the kernel. Each thread has generators of its own:
// what one gets depends on what it has done itself, and on its parent before its creation, but not
// on how threads are interleaved.
//
// Main has what a fresh process has. A thread that it creates begins with seeds that are made from
// main's seeds at that moment and from the thread's id, and so on. So srand concerns the thread
// that calls it, and those that it creates later.
#pragma once

#include "runtime/thread.h"

namespace heddle::runtime {

void random_inherit(const Thread* parent, const Thread* child);

}  // namespace heddle::runtime

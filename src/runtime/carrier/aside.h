// To do something while the running thread's stack is not in use, so that it can be copied, and
// written over.
#pragma once

#include "runtime/runtime.h"

namespace heddle::runtime {

// Calls `body` on a stack of its own, with the stack pointer at which the running thread can be
// taken up again: everything from there to the top of its stack is what it goes on with. Returns
// when go_back_to() is called with that, or again, when it is called once more after the stack has
// been put back.
void go_aside(void (*body)(void* sp));
[[noreturn]] void go_back_to(void* sp);

}  // namespace heddle::runtime

// Clean-up handlers of C programs: see cleanup.cc.
#pragma once

namespace heddle::runtime {

// Jumps to the innermost handler of the running thread, if it has one; the program comes back
// through __pthread_unwind_next.
void run_cleanups();

// threads.cc: all handlers have run, the thread of pthread_exit ends.
[[noreturn]] void finish_after_cleanups();

}  // namespace heddle::runtime

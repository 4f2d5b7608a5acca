// The end of the program within an execution: exit and its handlers.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// exit(status), or the return of main: runs the handlers as the calling thread, and ends the
// execution.
[[noreturn]] void program_exit(int status, bool run_handlers, uint64_t pc);

// The handlers registered during an execution belong to it.
void exit_handlers_reset();

}  // namespace heddle::runtime

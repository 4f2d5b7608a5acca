// Starting a nursery.
#pragma once

#include <sys/types.h>

#include "pool/settings.h"
#include "pool/shared_region.h"

namespace heddle::pool {

// The environment of a program that is to find its region behind this descriptor: ours, and what
// the runtime needs.
std::vector<std::string> environment_of(int region_fd, const std::string& preload);

// For a debugger: this process, whose launch is a function, runs the job of the region itself.
[[noreturn]] void become_debugged(const Launch& launch, int region_fd);

// Starts the process, as leader of a process group of its own: Ctrl-C at the terminal reaches the
// engine alone, and one kill ends everything that comes of it. Throws std::system_error.
// Processes that leave the nursery's group and outlive it become children of the engine's (but not
// of a test process, whose children are its own affair); they end with the last nursery.
pid_t start_nursery(const Launch& launch, const SharedRegion& region);
// When it has ended, and been waited for.
void forget_nursery(pid_t nursery);

// The program that this process will execute gets the same addresses every time, unless
// HEDDLE_ASLR=1 in the environment leaves them to chance. Repeatability does not depend on it;
// addresses in reports do.
void fix_addresses();

// "killed by signal 9 (SIGKILL)", "ended with status 3": a wait status in words.
std::string describe_end(int wait_status);

}  // namespace heddle::pool

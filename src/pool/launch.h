// Starting a nursery.
#pragma once

#include <sys/types.h>

#include "pool/settings.h"
#include "pool/shared_region.h"

namespace heddle::pool {

// Starts the process, as leader of a process group of its own: Ctrl-C at the terminal reaches the
// engine alone, and one kill ends everything that comes of it. Throws std::system_error.
pid_t start_nursery(const Launch& launch, const SharedRegion& region);

// "killed by signal 9 (SIGKILL)", "ended with status 3": a wait status in words.
std::string describe_end(int wait_status);

}  // namespace heddle::pool

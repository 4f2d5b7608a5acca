// For a debugger: a region with one job in it, ready before there is anybody to take it.
#pragma once

#include "pool/settings.h"
#include "trace/execution.h"

namespace heddle::pool {

// Lays the region out in the memory file `fd`, which stays the caller's. The program that finds it
// (wire::kRegionVariable, or heddle_runtime_serve) runs the schedule once, in its own process, and
// changes nothing in it: see runtime/debugger.h.
void write_debugged_region(Settings settings, const Launch& launch,
                           const wire::Directive& directive, const trace::Schedule& schedule,
                           int fd);

}  // namespace heddle::pool

// Executions that do not end: livelocks, and threads that never yield.
#pragma once

#include "runtime/runtime.h"

namespace heddle::runtime {

// The last `cycle` steps of the execution led back to where they began, and are fair: recurrence.h.
[[noreturn]] void end_with_livelock(uint32_t cycle);

// The execution has made as many steps as its job allows (wire::Job::limit, for --livelock-after),
// under fair scheduling, and is taken for one that never ends (fair, section 2). What it did last
// tells why:
// - every thread that runs on also yields: a livelock;
// - one runs on without a yield: how the others would have fared is not known. That violates the
//   good-samaritan rule, where this is an error; else the execution is cut.
[[noreturn]] void end_endless();

}  // namespace heddle::runtime

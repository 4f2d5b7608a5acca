// Executions that do not end: livelocks, and threads that never yield.
#pragma once

#include "runtime/runtime.h"

namespace heddle::runtime {

// The execution has made as many steps as its job allows (wire::Job::limit), under fair scheduling,
// and will never end. What it did last tells why:
// - every thread that runs on also yields: a livelock;
// - one runs on without a yield: it violates the good-samaritan rule (fair, section 2), and how
//   the others would have fared is not known.
[[noreturn]] void end_endless();

}  // namespace heddle::runtime

// The worker looks at an execution itself, where the search leaves that to it: the engine, which is
// one for all workers, then has little to do for each, however long. Who looks is the pool's
// business: pool/observer.h.
#pragma once

#include <span>

#include "wire/layout.h"

namespace heddle::runtime {

// The digest of the execution that has ended, in the place of its steps: the result says so then.
// Empty: there is none, and the result is as it was.
std::span<const char> make_digest(wire::Result* result);

// No wild pointer of the program has been at the steps and options that are looked at.
bool is_as_written();

}  // namespace heddle::runtime

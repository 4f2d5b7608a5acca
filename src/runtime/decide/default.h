// The default behaviour: the running thread goes on while it can, then the first by id.
#pragma once

#include "runtime/decide/decider.h"

namespace heddle::runtime {

extern const Decider kDefaultDecider;

}  // namespace heddle::runtime

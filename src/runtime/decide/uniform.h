// By chance: at every step each thread that can go is as likely as any other, and so is each
// outcome of its operation. The seed is the job's.
#pragma once

#include "runtime/decide/decider.h"

namespace heddle::runtime {

extern const Decider kUniformDecider;

}  // namespace heddle::runtime

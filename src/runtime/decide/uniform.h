// By chance: at every step each option is as likely as any other. The seed is the job's.
#pragma once

#include "runtime/decide/decider.h"

namespace heddle::runtime {

extern const Decider kUniformDecider;

}  // namespace heddle::runtime

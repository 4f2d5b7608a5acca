// Condition variables: see condition.cc.
#pragma once

#include "runtime/thread.h"

namespace heddle::runtime {

// A thread that sleeps on a condition stands for its mutex from now on.
void wake_from_condition(Thread* sleeper);

}  // namespace heddle::runtime

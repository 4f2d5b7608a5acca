// By chance: at every step each thread that can go is as likely as any other, and so is each
// outcome of its operation. The seed is the job's.
#pragma once

#include "base/random.h"
#include "runtime/decide/decider.h"

namespace heddle::runtime {

extern Random g_uniform_random;

// One of so many threads, where an option is a thread.
inline uint32_t choose_uniformly(uint32_t threads) {
  return static_cast<uint32_t>(g_uniform_random.below(threads));
}

extern const Decider kUniformDecider;

}  // namespace heddle::runtime

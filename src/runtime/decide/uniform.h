// By chance: at every step each thread that can go is as likely as any other, and so is each
// outcome of its operation. The seed is the job's.
#pragma once

#include "base/random.h"
#include "runtime/decide/decider.h"

namespace heddle::runtime {

struct UniformRandom {
  Random generator;
  uint64_t next;  // made ahead: nobody has to wait for it
};
extern UniformRandom g_uniform;

// One of so many, which are not 0: as Random::below().
inline uint32_t choose_uniformly(uint64_t count) {
  uint64_t number = g_uniform.next;
  g_uniform.next = g_uniform.generator.next();
  return static_cast<uint32_t>(static_cast<uint128>(number) * count >> 64);
}

extern const Decider kUniformDecider;

}  // namespace heddle::runtime

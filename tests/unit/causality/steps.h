// Steps of executions that tests make up.
#pragma once

#include <cstdint>

#include "wire/layout.h"

namespace heddle::causality {

// One that had another option, which would have been a preemption.
inline wire::Step step(uint32_t thread, wire::Op op, uint64_t object) {
  wire::Step step{};
  step.thread = thread;
  step.op = op;
  step.object = object;
  step.outcomes = 1;
  step.options = 2;
  step.free_options = 1;
  step.after = wire::kNoStep;
  return step;
}

}  // namespace heddle::causality

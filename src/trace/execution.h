// Executions as the search sees them: what a worker sent back for one job.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "causality/execution.h"
#include "wire/layout.h"

namespace heddle::trace {

// A schedule: the decisions that differ from the default behaviour, by rising step.
using Schedule = std::vector<wire::Decision>;

using causality::Execution;

// The schedule of a run, given all of its steps.
inline Schedule schedule_of(std::span<const wire::Step> steps) {
  Schedule schedule;
  for (uint32_t i = 0; i < steps.size(); ++i) {
    if (steps[i].choice != 0) schedule.push_back({i, steps[i].choice});
  }
  return schedule;
}

}  // namespace heddle::trace

// Executions as the search sees them: what a worker sent back for one job.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wire/layout.h"

namespace heddle::trace {

// A schedule: the decisions that differ from the default behaviour, by rising step.
using Schedule = std::vector<wire::Decision>;

// One run of the program. The spans point into shared memory and hold only while the strategy looks
// at it.
struct Execution {
  uint64_t id = 0;  // of its job
  wire::Result result{};
  std::span<const wire::Step> steps;    // [result.first_step, result.step_count)
  std::span<const wire::Step> pending;  // what the living would have done next, if it was wanted
  // The threads of the options of step 0, of step 1, …, if they were wanted; they may end early.
  std::span<const uint16_t> option_threads;
  std::span<const char> states;  // wire::StateRecords: of those that its worker had not seen before
  std::span<const char> told;    // instead of all these: see wire::Told

  bool failed() const { return result.ending == wire::Ending::failed; }
};

// The schedule of a run, given all of its steps.
inline Schedule schedule_of(std::span<const wire::Step> steps) {
  Schedule schedule;
  for (uint32_t i = 0; i < steps.size(); ++i) {
    if (steps[i].choice != 0) schedule.push_back({i, steps[i].choice});
  }
  return schedule;
}

}  // namespace heddle::trace

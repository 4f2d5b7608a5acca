// What a strategy asks for: one run of the program along a schedule.
//
// A plan is small and has no memory of its own. Its decisions are written by the planner when, and
// as often as, they are sent: a job that was lost with its worker is sent again.
#pragma once

#include <cstdint>

#include "wire/layout.h"

namespace heddle::pool {

struct Plan {
  uint64_t token = 0;  // the planner's own
  uint64_t seed = 0;
  uint32_t flags = 0;  // wire::JobFlags, without kDecisionsInArea
  uint32_t first_step = 0;
  uint32_t check_step = wire::kNoStep;
  uint32_t check = 0;
  uint32_t decision_count = 0;
  uint32_t limit = wire::kNoStep;  // of steps: an execution that comes so far will never end
  uint32_t cycle = 0;              // … since its last so many steps repeat: wire::Job
  uint32_t bound = 0;              // on preemptions, for wire::kWantProspects
  wire::Sampler sampler = wire::Sampler::none;
};

class Planner {
 public:
  virtual ~Planner() = default;
  // Writes the plan's `decision_count` decisions by rising step. The plan is one whose execution is
  // still due.
  virtual void write_decisions(const Plan& plan, wire::Decision* out) const = 0;
};

}  // namespace heddle::pool

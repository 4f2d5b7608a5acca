// Follows the job's schedule. It speaks for some steps, and is asked before the decider.
#pragma once

#include "runtime/decide/choice_point.h"

namespace heddle::runtime {

// The schedule has a decision for this step.
inline bool schedule_speaks() {
  return g_run.decision != g_run.decision_end && g_run.decision->step == g_run.step;
}

// That one. Puts threads to sleep, if it says so.
uint32_t follow_schedule(const ChoicePoint& point);

}  // namespace heddle::runtime

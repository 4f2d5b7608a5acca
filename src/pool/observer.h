// Who looks at an execution: the policy, and the engine's part of it.
//
// The engine is one for all workers, and a worker has the steps at hand: so the worker looks, and
// sends a digest, where the search leaves it to that (wire::kWorkerLooks). The engine looks
// - at executions that failed, diverged or were not supported: their steps are wanted anyway;
// - at short ones, if there is one worker alone: it would wait for that one, and to send a few
//   steps takes less time than to look at them;
// - at those of which a worker would have to remember too much;
// - where a digest would be too long, or there are too many threads for one (causality/digest.cc).
// What comes of it is the same observation.
#pragma once

#include <vector>

#include "causality/observation.h"
#include "pool/outcome.h"
#include "pool/plan.h"
#include "pool/settings.h"
#include "wire/layout.h"

namespace heddle::pool {

// The policy, as far as workers have to know it.
void tell_who_looks(const Settings& settings, wire::Config* config);

class Observer {
 public:
  explicit Observer(const Planner& planner) : planner_(planner) {}

  // Holds as long as the outcome does, and until the next call.
  causality::Observation& observe(const Plan& plan, const Outcome& outcome);

 private:
  const Planner& planner_;
  causality::Observation observation_;
  std::vector<wire::Decision> decisions_;  // of the plan
};

}  // namespace heddle::pool

#include "pool/observer.h"

namespace heddle::pool {

namespace {

constexpr uint32_t kShortExecution = 192;             // steps
constexpr uint64_t kMostNumbers = uint64_t{1} << 22;  // that a worker keeps: steps times threads

}  // namespace

void tell_who_looks(const Settings& settings, wire::Config* config) {
  config->least_observed = settings.workers == 1 ? kShortExecution : 0;
  config->most_observed = kMostNumbers;
}

causality::Observation& Observer::observe(const Plan& plan, const Outcome& outcome) {
  const trace::Execution& execution = outcome.execution;
  if (!execution.digest.empty()) {
    observation_.read(execution);
    return observation_;
  }
  decisions_.clear();
  if ((plan.flags & wire::kObserveReversals) != 0) {
    decisions_.resize(plan.decision_count);
    planner_.write_decisions(plan, decisions_.data());
    decisions_.resize(plan.decision_count - plan.hint_count);
  }
  observation_.look_at(plan, execution, decisions_);
  return observation_;
}

}  // namespace heddle::pool

#include "session/examiner.h"

#include <algorithm>
#include <cstring>

#include "trace/make_finding.h"

namespace heddle::session {

namespace {

constexpr uint64_t kOutputLimit = uint64_t{1} << 20;  // bytes of output kept with a failure

}  // namespace

Examiner::Examiner(const pool::Launch& launch, pool::Settings settings)
    : launch_(launch), settings_(settings) {
  settings_.workers = 1;
  settings_.window = 1;
}

void Examiner::write_decisions(const pool::Plan&, wire::Decision* out) const {
  std::copy(trial_->schedule.begin(), trial_->schedule.end(), out);
}

// To look closely leaves things behind on the stacks of the program, so that a state may not be the
// same when it comes back. So a cycle is shown by a run of its own, and then looked at.
std::optional<Examined> Examiner::run(const Trial& trial, bool details) {
  if (!details) return run_once(trial, 0);
  if (trial.cycle == 0) return run_once(trial, wire::kDetail);
  std::optional<Examined> shown = run_once(trial, 0);
  if (!shown.has_value()) return std::nullopt;
  if (shown->result.failure != wire::Failure::livelock) return run_once(trial, wire::kDetail);
  Trial proved = trial;
  proved.schedule = trace::schedule_of(shown->steps);
  proved.limit = shown->result.step_count;
  return run_once(proved, wire::kDetail | wire::kCycleIsProved);
}

std::optional<Examined> Examiner::run_once(const Trial& trial, uint32_t flags) {
  bool details = (flags & wire::kDetail) != 0;
  if (pool_ == nullptr) pool_ = std::make_unique<pool::Pool>(launch_, settings_, planner());
  trial_ = &trial;
  pool::Plan plan;
  plan.sampler = trial.sampler;
  plan.seed = trial.seed;
  plan.limit = trial.limit;
  plan.cycle = trial.cycle;
  plan.flags = wire::kWantSteps | flags;
  plan.decision_count = static_cast<uint32_t>(trial.schedule.size());
  pool_->submit(plan);
  const pool::Outcome* outcome = pool_->next(pool::Pool::Clock::time_point::max());
  if (outcome == nullptr) {
    pool_ = nullptr;  // with the job that is still under way
    return std::nullopt;
  }
  Examined examined;
  examined.result = outcome->execution.result;
  examined.steps.assign(outcome->execution.steps.begin(), outcome->execution.steps.end());
  examined.message = outcome->message;
  if (details) {
    pool_->worker().region().repair();
    examined.output = pool_->worker().region().captured(kOutputLimit);
    examined.finding = make_finding(examined, outcome->execution.id);
  }
  pool_->release();
  return examined;
}

trace::Finding Examiner::make_finding(const Examined& examined, uint64_t job) const {
  trace::Execution execution;
  execution.id = job;
  execution.result = examined.result;
  execution.steps = examined.steps;
  trace::Finding finding = trace::make_finding(region(), execution, examined.steps);
  if (!examined.message.empty()) {
    // Nobody was left to say more; the thread that made the last step was running.
    finding.message = examined.message;
    finding.stack.clear();
    finding.thread = finding.last_steps.empty() ? "" : finding.last_steps.back().thread;
  }
  finding.output = examined.output;
  return finding;
}

trace::Unsupported Examiner::unsupported() const { return trace::describe_unsupported(region()); }

Trial trial_of(const pool::Planner& planner, const pool::Plan& plan, const pool::Outcome& outcome) {
  Trial trial;
  const wire::Result& result = outcome.execution.result;
  bool endless =
      result.failure == wire::Failure::livelock || result.failure == wire::Failure::good_samaritan;
  if (endless) trial.limit = result.step_count;
  if (endless) trial.cycle = result.cycle;
  if (result.first_step == 0 && !outcome.execution.steps.empty()) {
    trial.schedule = trace::schedule_of(outcome.execution.steps);
    return trial;
  }
  trial.sampler = plan.sampler;
  trial.seed = plan.seed;
  trial.schedule.resize(plan.decision_count);
  planner.write_decisions(plan, trial.schedule.data());
  return trial;
}

}  // namespace heddle::session

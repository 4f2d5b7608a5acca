#include "session/examiner.h"

#include <algorithm>

#include "trace/make_finding.h"

namespace heddle::session {

Examiner::Examiner(const pool::Launch& launch, pool::Settings settings)
    : launch_(launch), settings_(settings) {
  settings_.workers = 1;
  settings_.window = 1;
}

void Examiner::write_decisions(const pool::Plan&, wire::Decision* out) const {
  std::copy(rerun_->schedule.begin(), rerun_->schedule.end(), out);
}

// To look closely leaves things behind on the stacks of the program, so that a state may not be the
// same when it comes back. So a cycle is shown by a run of its own, and then looked at.
std::optional<Examined> Examiner::run(const Rerun& rerun, bool details) {
  if (!details) return run_once(rerun, 0);
  if (rerun.cycle == 0) return run_once(rerun, wire::kDetail);
  std::optional<Examined> shown = run_once(rerun, 0);
  if (!shown.has_value()) return std::nullopt;
  if (shown->result.failure != wire::Failure::livelock) return run_once(rerun, wire::kDetail);
  Rerun proved = rerun;
  proved.schedule = trace::schedule_of(shown->steps);
  proved.limit = shown->result.step_count;
  return run_once(proved, wire::kDetail | wire::kCycleIsProved);
}

std::optional<Examined> Examiner::run_once(const Rerun& rerun, uint32_t flags) {
  if (pool_ == nullptr) pool_ = std::make_unique<pool::Pool>(launch_, settings_, planner());
  rerun_ = &rerun;
  pool::Plan plan;
  static_cast<wire::Directive&>(plan) = rerun;
  if ((flags & wire::kDetail) != 0) flags |= wire::kWantOptions;
  plan.flags = wire::kWantSteps | flags | (rerun.flags & wire::kMustBeFeasible);
  plan.decision_count = static_cast<uint32_t>(rerun.schedule.size());
  latest_ = rerun;
  latest_.flags = plan.flags;
  pool_->submit(plan);
  const pool::Outcome* outcome = pool_->next(pool::Pool::Clock::time_point::max());
  if (outcome == nullptr) {
    pool_ = nullptr;  // with the job that is still under way
    return std::nullopt;
  }
  Examined examined{pool_->evidence(), std::nullopt};
  if ((flags & wire::kDetail) != 0) examined.finding = make_finding(examined);
  pool_->release();
  return examined;
}

trace::Finding Examiner::make_finding(const trace::Evidence& evidence) {
  trace::Finding finding = trace::make_finding(evidence);
  if (!evidence.message.empty()) {
    // Nobody was left to say more; the thread that made the last step was running.
    finding.message = evidence.message;
    finding.stack.clear();
    const trace::Timeline& timeline = finding.timeline;
    finding.thread = timeline.empty() ? "" : timeline.threads[timeline.steps.back().thread];
  }
  return finding;
}

void put_rerun(explore::ByteWriter& out, const Rerun& rerun) {
  out.put<wire::Directive>(rerun);
  out.put_all(rerun.schedule);
}

Rerun get_rerun(explore::ByteReader& in) {
  Rerun rerun;
  in.get<wire::Directive>(&rerun);
  rerun.schedule = in.get_all<wire::Decision>();
  return rerun;
}

Rerun rerun_of(const pool::Planner& planner, const pool::Plan& plan, const pool::Outcome& outcome) {
  Rerun rerun;
  const wire::Result& result = outcome.execution.result;
  bool endless =
      result.failure == wire::Failure::livelock || result.failure == wire::Failure::good_samaritan;
  if (endless) rerun.limit = result.step_count;
  if (endless) rerun.cycle = result.cycle;
  if (result.first_step == 0 && !outcome.execution.steps.empty()) {
    rerun.schedule = trace::schedule_of(outcome.execution.steps);
    return rerun;
  }
  rerun.decider = plan.decider;
  rerun.parameter = plan.parameter;
  rerun.seed = plan.seed;
  rerun.hint_count = plan.hint_count;
  rerun.patience = plan.patience;
  rerun.schedule.resize(plan.decision_count);
  planner.write_decisions(plan, rerun.schedule.data());
  return rerun;
}

}  // namespace heddle::session

#include "session/examiner.h"

#include <algorithm>

#include "trace/make_finding.h"

namespace heddle::session {

namespace {

// Runs that are asked for before the one before them has been seen: the worker need not wait.
constexpr uint32_t kAhead = 16;

// What is noted for strategies stands in memory that the program may write over; that is seen only
// where it is noted.
constexpr uint32_t kNotes = wire::kNoteReads | wire::kNoteStates | wire::kNoteRanks;

}  // namespace

Examiner::Examiner(const pool::Launch& launch, pool::Settings settings)
    : launch_(launch), settings_(settings) {
  settings_.workers = 1;
  settings_.window = kAhead;
}

void Examiner::write_decisions(const pool::Plan& plan, wire::Decision* out) const {
  const trace::Schedule& schedule = under_way_[plan.token - oldest_].schedule;
  std::copy(schedule.begin(), schedule.end(), out);
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

void Examiner::submit(Rerun rerun, uint32_t flags) {
  if (pool_ == nullptr) pool_ = std::make_unique<pool::Pool>(launch_, settings_, planner());
  pool::Plan plan;
  static_cast<wire::Directive&>(plan) = rerun;
  if ((flags & wire::kDetail) != 0) flags |= wire::kWantOptions;
  plan.flags = wire::kWantSteps | flags;
  plan.decision_count = static_cast<uint32_t>(rerun.schedule.size());
  latest_ = rerun;
  latest_.flags = plan.flags;
  plan.token = oldest_ + under_way_.size();
  under_way_.push_back(std::move(rerun));
  pool_->submit(plan);
}

// Null: there was an interrupt, and nothing is under way any more.
const pool::Outcome* Examiner::next_outcome() {
  const pool::Outcome* outcome = pool_->next(pool::Pool::Clock::time_point::max());
  if (outcome == nullptr) {
    pool_ = nullptr;  // with the jobs that are still under way
    oldest_ += under_way_.size();
    under_way_.clear();
  }
  return outcome;
}

void Examiner::release() {
  pool_->release();
  under_way_.pop_front();
  ++oldest_;
}

std::optional<Examined> Examiner::run_once(const Rerun& rerun, uint32_t flags) {
  submit(rerun, flags | (rerun.flags & (wire::kMustBeFeasible | kNotes)));
  if (next_outcome() == nullptr) return std::nullopt;
  Examined examined{pool_->evidence(), std::nullopt};
  if ((flags & wire::kDetail) != 0) examined.finding = make_finding(examined);
  release();
  return examined;
}

bool Examiner::run_all(const Next& next, const See& see) {
  for (bool enough = false;;) {
    while (!enough && under_way_.size() < kAhead) {
      std::optional<Rerun> rerun = next();
      if (!rerun.has_value()) break;
      uint32_t flags = rerun->flags;
      submit(std::move(*rerun), flags);
    }
    if (under_way_.empty()) return true;
    const pool::Outcome* outcome = next_outcome();
    if (outcome == nullptr) return false;
    const trace::Execution& execution = outcome->execution;
    bool is_whole = execution.is_whole();
    Probe probe{execution.result, is_whole ? execution.steps : std::span<const wire::Step>(),
                execution.notes, !execution.states.empty()};
    if (!enough) enough = !see(probe);
    release();
  }
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
  in.check(rerun.decider <= wire::Decider::guide && rerun.hint_count <= rerun.schedule.size() &&
           rerun.schedule.size() < wire::kNoStep);
  return rerun;
}

Rerun rerun_of(const pool::Planner& planner, const pool::Plan& plan, const pool::Outcome& outcome) {
  Rerun rerun;
  const wire::Result& result = outcome.execution.result;
  bool endless =
      result.failure == wire::Failure::livelock || result.failure == wire::Failure::good_samaritan;
  if (endless) rerun.limit = result.step_count;
  if (endless) rerun.cycle = result.cycle;
  if (!outcome.message.empty()) rerun.flags |= plan.flags & kNotes;
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

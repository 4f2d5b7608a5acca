#include "explore/search.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "base/hash.h"
#include "explore/spill_file.h"

namespace heddle::explore {

namespace {

// While outcomes come without waiting, short ones come in less than a microsecond each: the clock
// need not be read for every one.
constexpr uint64_t kOutcomesPerClock = 32;
// Steps from which to learn takes as long as all else that is done with an outcome.
constexpr uint64_t kStepsPerOutcome = 64;
// No execution has ended yet: how long one may be, in units of Limits::livelock_after.
constexpr uint64_t kLongestUnknown = 200;
// Executions of one search of which the racing places are asked for.
constexpr size_t kMostLessons = 1000;
constexpr auto kProgressInterval = std::chrono::milliseconds(200);

}  // namespace

uint64_t executions_of(const pool::Plan& plan) {
  if (plan.executions == 0) return 1;
  return plan.stop != 0 ? plan.stop : plan.executions - plan.skipped;
}

Search::Search(Strategy& strategy, pool::Pool& pool, const Limits& limits, SearchEvents& events,
               const Counts& before)
    : strategy_(strategy),
      pool_(pool),
      limits_(limits),
      events_(events),
      tell_each_(events.wants_each()),
      with_steps_(events.wants_steps()),
      lag_(std::min<uint64_t>(strategy.lag(), pool.window())),
      begin_(Clock::now()) {
  HEDDLE_CHECK(lag_ > 0);
  counts_.executions = counts_.learning = before.executions;
  counts_.failing = before.failing;
  counts_.steps = before.steps;
  counts_.pruned = before.pruned;
  counts_.redundant = before.redundant;
  counts_.threads = before.threads;
  counts_.max_steps = before.max_steps;
  end_ = Clock::time_point::max();
  if (limits.seconds.has_value()) {
    constexpr double kYears = 1e9;  // beyond what the clock can hold
    std::chrono::duration<double> span(std::min(*limits.seconds, kYears));
    end_ = begin_ + std::chrono::duration_cast<Clock::duration>(span);
  }
  stop_ = end_;
  next_progress_ = begin_ + kProgressInterval;
}

double Search::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

void Search::submit(pool::Plan plan) {
  // A plan of a saved search has its limit.
  if (limits_.livelock_after != 0 && plan.limit == wire::kNoStep) {
    uint64_t after = limits_.livelock_after;
    uint64_t known = counts_.longest_ended != 0 ? counts_.longest_ended : kLongestUnknown * after;
    plan.limit = static_cast<uint32_t>(std::min<uint64_t>(known + after, wire::kNoStep - 1));
    // A sampler that keeps somebody from going makes no livelock of it: there is time to end.
    if (plan.patience != 0) {
      plan.patience = static_cast<uint32_t>(std::min<uint64_t>(plan.patience, known + after / 2));
    }
  }
  if (with_steps_) {
    plan.flags |= wire::kWantSteps | wire::kWantPending;
    plan.flags &= ~uint32_t{wire::kWorkerLooks};
  }
  issued_ += executions_of(plan);
  pool_.submit(plan);
}

// Whether the budget has room for it. A subtree waits until all before it is known; if there is
// room for a part of it then, it ends early.
bool Search::may_issue(pool::Plan* plan) const {
  uint64_t left = limits_.executions.value_or(~uint64_t{0}) - issued_;
  if (executions_of(*plan) <= left) return true;
  if (left == 0 || !pool_.empty()) return false;
  plan->stop = static_cast<uint32_t>(left);
  return true;
}

void Search::issue() {
  while (!held_.empty() && pool_.under_way() < lag_ && may_issue(&held_.front())) {
    submit(held_.front());
    held_.pop_front();
  }
  while (pool_.under_way() + held_.size() < lag_) {
    std::optional<pool::Plan> plan = strategy_.next();
    if (!plan.has_value()) return;
    if (held_.empty() && may_issue(&*plan)) {
      submit(*plan);
    } else {
      held_.push_back(*plan);
    }
  }
}

void Search::save(ByteWriter& out) const {
  out.put(counts_);
  out.put(common_);
  distinct_.save(out);
  states_.save(out);
  out.put_all(std::vector<uint64_t>(failure_keys_.begin(), failure_keys_.end()));
  out.put_all(std::vector<uint64_t>(racing_keys_.begin(), racing_keys_.end()));
  out.put_all(std::vector<uint64_t>(suppressed_keys_.begin(), suppressed_keys_.end()));
  std::vector<pool::Plan> plans;
  for (uint64_t i = 0; i < pool_.under_way(); ++i) plans.push_back(pool_.plan(i));
  plans.insert(plans.end(), held_.begin(), held_.end());
  out.put_all(plans);
}

void Search::load(ByteReader& in) {
  in.get(&counts_);
  in.get(&common_);
  distinct_.load(in);
  states_.load(in);
  for (uint64_t key : in.get_all<uint64_t>()) failure_keys_.insert(key);
  for (uint64_t key : in.get_all<uint64_t>()) racing_keys_.insert(key);
  for (uint64_t key : in.get_all<uint64_t>()) suppressed_keys_.insert(key);
  for (pool::Plan plan : in.get_all<pool::Plan>()) {
    plan.stop = 0;  // that was another budget's
    held_.push_back(plan);
  }
  in.check(held_.size() <= lag_);
}

bool Search::knows_plans() const {
  return std::ranges::all_of(held_, [&](const pool::Plan& plan) {
    return plan.decider <= wire::Decider::guide &&
           (plan.executions != 0 || plan.decision_count <= pool_.max_steps()) &&
           strategy_.knows(plan);
  });
}

Search::Clock::time_point Search::next_stop() const { return std::min(stop_, next_progress_); }

bool Search::time_is_up(bool waited) {
  since_clock_ += 1 + counts_.last_steps / kStepsPerOutcome;
  if (!waited && !looked_closely_ && since_clock_ < kOutcomesPerClock) return false;
  since_clock_ = 0;
  looked_closely_ = false;
  auto now = Clock::now();
  if (now >= next_progress_) {
    events_.progress(counts_);
    if (limits_.seconds.has_value()) {
      std::chrono::duration<double> rest(events_.seconds_to_conclude());
      stop_ = end_ - std::chrono::duration_cast<Clock::duration>(rest);
    }
    now = Clock::now();
    next_progress_ = now + kProgressInterval;
  }
  return now >= stop_;
}

SearchEnd Search::run() {
  try {
    return loop();
  } catch (const SpillError& error) {
    events_.out_of_space(error.what());
    return SearchEnd::out_of_space;
  }
}

SearchEnd Search::loop() {
  for (;;) {
    issue();
    if (pool_.empty()) return SearchEnd::budget;
    const pool::Outcome* outcome = pool_.next(next_stop());
    if (outcome == nullptr) {
      if (pool_.interrupted()) return SearchEnd::interrupted;
      if (time_is_up(true)) return SearchEnd::budget;
      continue;
    }
    bool is_subtree = pool_.next_plan().executions != 0;
    std::optional<SearchEnd> end = is_subtree ? subtree_done(*outcome) : execution_done(*outcome);
    if (end.has_value()) return *end;
    // What is under way then, of samplers or of a search that another one has overtaken, adds
    // nothing.
    if (complete()) return racing_keys_.empty() ? SearchEnd::complete : SearchEnd::learnt;
    if (time_is_up(pool_.waited())) return SearchEnd::budget;
  }
}

std::optional<SearchEnd> Search::execution_done(const pool::Outcome& outcome) {
  const pool::Plan& plan = pool_.next_plan();
  bool is_common = strategy_.is_common(plan);
  const Counts before = is_common ? counts_ : Counts();
  std::optional<SearchEnd> end = look_at(plan, outcome);
  if (is_common) count_common(before, outcome.execution.result);
  if (end.has_value()) return end;
  strategy_.learn(plan, pool_.observe());
  pool_.release();
  return std::nullopt;
}

void Search::account(const wire::Result& result) {
  ++counts_.executions;
  counts_.steps += result.step_count;
  counts_.threads = std::max(counts_.threads, result.thread_count);
  counts_.max_steps = std::max(counts_.max_steps, result.step_count);
  counts_.last_steps = result.step_count;
  counts_.set_back += result.set_back;
  counts_.counted += result.counted;
  bool endless = result.ending == wire::Ending::cut || result.failure == wire::Failure::livelock ||
                 result.failure == wire::Failure::good_samaritan;
  if (!endless) counts_.longest_ended = std::max(counts_.longest_ended, result.step_count);
}

void Search::count_common(const Counts& before, const wire::Result& result) {
  common_.executions += counts_.executions - before.executions;
  common_.failing += counts_.failing - before.failing;
  common_.steps += counts_.steps - before.steps;
  common_.pruned += counts_.pruned - before.pruned;
  common_.redundant += counts_.redundant - before.redundant;
  common_.cut += counts_.cut - before.cut;
  common_.set_back += counts_.set_back - before.set_back;
  // Whatever else has been run in between: a sum.
  common_.hash += mix(result.sequence, result.fingerprint);
}

std::optional<SearchEnd> Search::look_at(const pool::Plan& plan, const pool::Outcome& outcome) {
  const wire::Result& result = outcome.execution.result;
  account(result);
  if (!outcome.execution.states.empty()) {
    states_.add(counts_.executions, outcome.execution.states);
  }
  Occurrence occurrence{plan, outcome, pool_, counts_.executions, end_};
  if (counts_.executions == counts_.learning + 1) events_.first(occurrence);
  if (tell_each_) events_.each(occurrence);
  std::optional<SearchEnd> end = judge(occurrence);
  if (!end.has_value() && learn(occurrence)) end = SearchEnd::learnt;
  return end;
}

// To begin again costs what the search has done so far. So it goes on, and learns of more places,
// to the end of a stretch that is as long as what was done before it: however many places there
// are, all the beginnings together cost no more than twice what the last one has.
bool Search::learn(const Occurrence& occurrence) {
  uint64_t key = occurrence.outcome.execution.result.racing_key;
  if (key != 0 && racing_keys_.size() < kMostLessons && racing_keys_.insert(key).second) {
    looked_closely_ = true;
    events_.racing(occurrence);
  }
  return lesson_is_over(counts_.executions - 1);
}

bool Search::lesson_is_over(uint64_t before) const {
  auto stretch = [&](uint64_t executions) { return std::bit_width(executions - counts_.learning); };
  return !racing_keys_.empty() && stretch(before) != stretch(counts_.executions);
}

std::optional<SearchEnd> Search::judge(const Occurrence& occurrence) {
  const pool::Outcome& outcome = occurrence.outcome;
  const wire::Result& result = outcome.execution.result;
  switch (result.ending) {
    case wire::Ending::diverged:
      events_.diverged(occurrence);
      return SearchEnd::diverged;
    case wire::Ending::unsupported:
      events_.unsupported(occurrence);
      return SearchEnd::unsupported;
    case wire::Ending::redundant:
      ++counts_.redundant;
      [[fallthrough]];
    case wire::Ending::pruned:
      ++counts_.pruned;
      return std::nullopt;
    case wire::Ending::infeasible:
      ++counts_.infeasible;
      events_.infeasible(occurrence);
      return std::nullopt;
    case wire::Ending::finished:
      ++counts_.finished;
      if (!limits_.ends_with_realised) break;
      events_.realised(occurrence);
      return SearchEnd::realised;
    case wire::Ending::cut:
      ++counts_.cut;
      break;
    case wire::Ending::failed:
      ++counts_.failing;
      if (!outcome.message.empty() &&
          (outcome.execution.steps.empty() || strategy_.needs_pending(occurrence.plan))) {
        ++counts_.lost;
      }
      break;
    default:
      break;
  }
  distinct_.add(result.fingerprint);
  if (result.ending != wire::Ending::failed) return std::nullopt;
  return judge_failure(occurrence);
}

std::optional<SearchEnd> Search::judge_failure(const Occurrence& occurrence) {
  uint64_t key = occurrence.outcome.execution.result.failure_key;
  bool is_suppressed = suppressed_keys_.contains(key);
  bool is_new = !is_suppressed && failure_keys_.insert(key).second;
  looked_closely_ |= is_new;
  Suppression suppression = is_new ? events_.suppress(occurrence) : Suppression::none;
  if (is_suppressed || suppression != Suppression::none) {
    failure_keys_.erase(key);
    suppressed_keys_.insert(key);
    --counts_.failing;
    if (suppression == Suppression::learnt) return SearchEnd::learnt;
    return std::nullopt;
  }
  if (is_new) {
    ++counts_.failures;
    if (!events_.failure(occurrence)) return SearchEnd::failure;
  }
  if (!limits_.keep_going) return SearchEnd::failure;
  return std::nullopt;
}

}  // namespace heddle::explore

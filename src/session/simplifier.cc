#include "session/simplifier.h"

#include <tuple>

namespace heddle::session {

namespace {

// About a second, at most: a run that crashes takes a millisecond. No clock is asked but that of a
// budget in seconds: the schedule is to be the same whenever it is found.
constexpr uint32_t kMostRuns = 1000;
constexpr uint64_t kMostStepsInAll = 2'000'000;
constexpr size_t kMostSteps = 20'000;
constexpr uint32_t kLonger = 4;
constexpr uint32_t kLeastLimit = 1000;

struct Turn {
  uint32_t thread;
  std::vector<uint32_t> outcomes;  // of its steps
};
using Turns = std::vector<Turn>;

Turns turns_of(std::span<const wire::Step> steps) {
  Turns turns;
  for (const wire::Step& step : steps) {
    if (turns.empty() || turns.back().thread != step.thread) turns.push_back({step.thread, {}});
    turns.back().outcomes.push_back(step.outcome);
  }
  return turns;
}

// Each step as a wish: where the thread cannot go, the default behaviour decides. One that becomes
// much longer is of no use.
Rerun rerun_along(const Turns& turns, uint32_t most_steps) {
  Rerun rerun;
  rerun.limit = most_steps;
  uint32_t step = 0;
  for (const Turn& turn : turns) {
    for (uint32_t outcome : turn.outcomes) {
      if (step != 0) rerun.schedule.push_back(wire::Decision::wish(step, turn.thread, outcome));
      ++step;
    }
  }
  return rerun;
}

// The lower, the simpler.
auto complexity(const wire::Result& result, size_t turns) {
  return std::tuple(result.preemptions, turns, result.step_count);
}

class Simplifier {
 public:
  using Clock = pool::Pool::Clock;

  Simplifier(Examiner& examiner, std::span<const wire::Step> steps, const wire::Result& result,
             Clock::time_point end)
      : examiner_(examiner),
        end_(end),
        key_(result.failure_key),
        turns_(turns_of(steps)),
        result_(result),
        most_steps_(kLonger * result.step_count + kLeastLimit) {}

  std::optional<Simplified> run() {
    while (leave_out() || move()) {
    }
    if (!is_simpler_) return std::nullopt;
    return Simplified{rerun_, result_};
  }

 private:
  // Turns from the last on; whether that has made it simpler.
  bool leave_out() {
    bool any = false;
    for (size_t i = turns_.size(); i-- > 1 && !is_over();) {
      if (i >= turns_.size()) continue;
      Turns fewer = turns_;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
      any |= try_out(fewer);
    }
    return any;
  }

  // Turns of a thread that could be one.
  bool move() {
    bool any = false;
    for (size_t first = 1; first + 1 < turns_.size() && !is_over(); ++first) {
      size_t next = first + 1;
      while (next < turns_.size() && turns_[next].thread != turns_[first].thread) ++next;
      if (next == turns_.size()) continue;
      Turns earlier = turns_;
      append(&earlier[first], earlier[next]);
      earlier.erase(earlier.begin() + static_cast<ptrdiff_t>(next));
      Turns later = turns_;
      append(&later[first], later[next]);
      later[next] = std::move(later[first]);
      later.erase(later.begin() + static_cast<ptrdiff_t>(first));
      any |= try_out(earlier) || try_out(later);
    }
    return any;
  }

  static void append(Turn* turn, const Turn& more) {
    turn->outcomes.insert(turn->outcomes.end(), more.outcomes.begin(), more.outcomes.end());
  }

  bool is_over() const {
    return runs_ >= kMostRuns || steps_ > kMostStepsInAll || Clock::now() >= end_;
  }

  bool try_out(const Turns& turns) {
    if (is_over()) return false;
    ++runs_;
    std::optional<Examined> seen = examiner_.run(rerun_along(turns, most_steps_), false);
    if (!seen.has_value()) return false;
    steps_ += seen->result.step_count;
    // It takes seconds to find out that one hangs.
    if (seen->result.failure == wire::Failure::hang) runs_ = kMostRuns;
    if (seen->result.failure_key != key_ || seen->steps.empty()) return false;
    Turns found = turns_of(seen->steps);
    if (complexity(seen->result, found.size()) >= complexity(result_, turns_.size())) return false;
    rerun_ = {};
    rerun_.schedule = trace::schedule_of(seen->steps);
    turns_ = std::move(found);
    result_ = seen->result;
    is_simpler_ = true;
    return true;
  }

  Examiner& examiner_;
  const Clock::time_point end_;
  uint64_t key_;
  Turns turns_;
  wire::Result result_;
  Rerun rerun_;
  bool is_simpler_ = false;
  uint32_t runs_ = 0;
  uint64_t steps_ = 0;
  const uint32_t most_steps_;
};

}  // namespace

std::optional<Simplified> simplify(Examiner& examiner, std::span<const wire::Step> steps,
                                   const wire::Result& result, pool::Pool::Clock::time_point end) {
  bool can_be = result.failure != wire::Failure::livelock &&
                result.failure != wire::Failure::good_samaritan &&
                result.failure != wire::Failure::hang && result.failure != wire::Failure::unmet;
  if (!can_be || result.first_step != 0 || steps.empty() || steps.size() > kMostSteps) {
    return std::nullopt;
  }
  return Simplifier(examiner, steps, result, end).run();
}

}  // namespace heddle::session

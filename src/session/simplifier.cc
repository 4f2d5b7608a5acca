#include "session/simplifier.h"

#include <algorithm>
#include <utility>

#include "session/fewest.h"

namespace heddle::session {

namespace {

constexpr size_t kMostSteps = 20'000;  // of an execution whose turns are moved
constexpr uint32_t kLonger = 4;        // times as long, an execution is of no use any more
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
Rerun rerun_of_turns(const Turns& turns, uint32_t most_steps) {
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

// Changes a schedule a little, as long as it becomes simpler.
class Changes {
 public:
  Changes(Prober& prober, KnownRun* run, uint32_t limit, Budget* budget)
      : prober_(prober),
        run_(*run),
        turns_(turns_of(run->steps)),
        limit_(limit),
        budget_(*budget) {}

  // False: there was an interrupt.
  bool run() {
    while (leave_out() || move()) {
    }
    return !interrupted_;
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

  bool is_over() const { return interrupted_ || budget_.is_spent(); }

  bool try_out(const Turns& turns) {
    if (is_over()) return false;
    std::optional<KnownRun> seen = run_one(prober_, rerun_of_turns(turns, limit_));
    interrupted_ = !seen.has_value();
    if (interrupted_) return false;
    budget_.pay(seen->result);
    if (seen->result.failure_key != run_.result.failure_key || seen->steps.empty()) return false;
    if (seen->cost() >= run_.cost()) return false;
    run_ = std::move(*seen);
    turns_ = turns_of(run_.steps);
    return true;
  }

  Prober& prober_;
  KnownRun& run_;
  Turns turns_;
  const uint32_t limit_;
  Budget& budget_;
  bool interrupted_ = false;
};

}  // namespace

bool can_be_simplified(wire::Failure kind) {
  return kind != wire::Failure::livelock && kind != wire::Failure::good_samaritan &&
         kind != wire::Failure::hang && kind != wire::Failure::unmet;
}

Simplified simplify(Prober& prober, const KnownRun& failing, bool matches, Budget* budget) {
  Simplified simplified{failing, false, false, false};
  if (failing.steps.empty() || failing.steps.size() > kMostSteps) return simplified;
  uint32_t limit = kLonger * failing.result.step_count + kLeastLimit;
  // Half for what comes far, the other half for what comes to the end.
  Budget changes = budget->part(budget->left() / 2);
  simplified.interrupted = !Changes(prober, &simplified.run, limit, &changes).run();
  budget->give_back(changes);
  if (!simplified.interrupted) {
    Fewest fewest = find_fewest(prober, simplified.run, matches, limit, budget);
    if (fewest.run.has_value()) simplified.run = std::move(*fewest.run);
    simplified.proved = fewest.proved;
    simplified.interrupted = fewest.interrupted;
  }
  simplified.is_simpler = simplified.run.cost() < failing.cost();
  return simplified;
}

}  // namespace heddle::session

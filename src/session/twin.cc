#include "session/twin.h"

#include <algorithm>
#include <utility>

namespace heddle::session {

namespace {

constexpr uint32_t kPairs = 8;  // of the failing execution, that are exchanged
constexpr int kMostRuns = 100;  // in all

bool is_same(const wire::Step& a, const wire::Step& b) {
  return a.thread == b.thread && a.op == b.op && a.object == b.object;
}

bool passes(const KnownRun& run) { return run.result.ending == wire::Ending::finished; }
bool fails(const KnownRun& run) { return run.result.ending == wire::Ending::failed; }

// Whether two executions agree up to `step`, and have it and the next in the other order.
bool are_exchanged(const KnownRun& a, const KnownRun& b, uint32_t step) {
  if (a.steps.size() < step + 2 || b.steps.size() < step + 2) return false;
  return a.steps[step].check == b.steps[step].check && is_same(a.steps[step], b.steps[step + 1]) &&
         is_same(a.steps[step + 1], b.steps[step]);
}

class TwinSearch {
 public:
  TwinSearch(Prober& prober, const KnownRun& failing, const Critical& critical, Budget* budget)
      : prober_(prober), failing_(failing), critical_(critical), budget_(*budget) {}

  std::optional<Twins> run() {
    if (!critical_.step.has_value()) return std::nullopt;
    if (std::optional<Twins> own = exchange_own()) return own;
    if (std::optional<Twins> moved = move_forward()) return moved;
    return another_option();
  }

 private:
  // The first `count` steps of `begin`, then `wishes` as far as they can be followed.
  std::optional<KnownRun> follow(const KnownRun& begin, uint32_t count,
                                 const std::vector<wire::Step>& wishes) {
    if (budget_.is_spent() || runs_ == kMostRuns) return std::nullopt;
    ++runs_;
    Rerun rerun = rerun_along(trace::schedule_of(std::span(begin.steps).first(count)));
    uint32_t step = count;
    for (const wire::Step& wish : wishes) {
      rerun.schedule.push_back(wire::Decision::wish(step++, wish.thread, wish.outcome));
    }
    std::optional<KnownRun> seen = run_one(prober_, rerun);
    if (seen.has_value()) budget_.pay(seen->result);
    return seen;
  }

  // Two steps of the failing execution, from the critical one back to the beginning.
  std::optional<Twins> exchange_own() {
    const std::vector<wire::Step>& steps = failing_.steps;
    uint32_t last = *critical_.step;
    for (uint32_t i = 0; i < kPairs && i <= last; ++i) {
      uint32_t k = last - i;
      if (k + 1 >= steps.size() || steps[k].thread == steps[k + 1].thread) continue;
      // All that comes after them in its order, or something else would be the difference.
      std::vector<wire::Step> wishes(steps.begin() + k, steps.end());
      std::swap(wishes[0], wishes[1]);
      std::optional<KnownRun> seen = follow(failing_, k, wishes);
      if (!seen.has_value()) return std::nullopt;
      if (!are_exchanged(failing_, *seen, k)) continue;
      if (passes(*seen)) return Twins{k, true, std::move(*seen), std::nullopt};
    }
    return std::nullopt;
  }

  // In the execution that passes, the critical step as far forward as it still passes.
  std::optional<Twins> move_forward() {
    if (!critical_.passing.has_value()) return std::nullopt;
    const uint32_t first = *critical_.step;
    const wire::Step& moved = failing_.steps[first];
    KnownRun passing = *critical_.passing;
    auto begin = passing.steps.begin() + first;
    auto own = std::find_if(begin, passing.steps.end(),
                            [&](const wire::Step& step) { return step.thread == moved.thread; });
    if (own == passing.steps.end()) return std::nullopt;
    auto place = static_cast<uint32_t>(own - passing.steps.begin());
    while (place > first) {
      std::vector<wire::Step> wishes(passing.steps.begin() + place - 1, passing.steps.end());
      std::swap(wishes[0], wishes[1]);
      std::optional<KnownRun> seen = follow(passing, place - 1, wishes);
      if (!seen.has_value() || !are_exchanged(passing, *seen, place - 1)) return std::nullopt;
      if (fails(*seen)) return Twins{place - 1, true, std::move(passing), std::move(seen)};
      if (!passes(*seen)) return std::nullopt;
      passing = std::move(*seen);
      --place;
    }
    return std::nullopt;
  }

  // The failing execution, and one that goes another way at the critical step: as long as it can,
  // with the steps of the failing one in their order.
  std::optional<Twins> another_option() {
    if (!critical_.passing.has_value()) return std::nullopt;
    const uint32_t at = *critical_.step;
    std::vector<wire::Step> wishes{critical_.passing->steps[at]};
    wishes.insert(wishes.end(), failing_.steps.begin() + at, failing_.steps.end());
    std::optional<KnownRun> seen = follow(failing_, at, wishes);
    bool is_like_it = seen.has_value() && passes(*seen) && seen->steps.size() > at &&
                      is_same(seen->steps[at], wishes.front());
    return Twins{at, false, is_like_it ? std::move(*seen) : *critical_.passing, std::nullopt};
  }

  Prober& prober_;
  const KnownRun& failing_;
  const Critical& critical_;
  Budget& budget_;
  int runs_ = 0;
};

}  // namespace

std::optional<Twins> find_twins(Prober& prober, const KnownRun& failing, const Critical& critical,
                                Budget* budget) {
  return TwinSearch(prober, failing, critical, budget).run();
}

}  // namespace heddle::session

#include "session/fewest.h"

#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "base/hash.h"

namespace heddle::session {

namespace {

// Schedules that may wait: 24 bytes each.
constexpr size_t kMostWaiting = 2'000'000;

// What a prefix has cost, and what all that begins with it costs at least.
using Price = std::pair<uint32_t, uint32_t>;  // preemptions, switches

// An option of a step that an execution did not take.
struct Candidate {
  std::shared_ptr<const trace::Schedule> parent;
  uint32_t step;
  uint32_t choice;

  trace::Schedule schedule() const {
    trace::Schedule schedule;
    for (const wire::Decision& decision : *parent) {
      if (decision.step < step) schedule.push_back(decision);
    }
    if (choice != 0) schedule.push_back({step, choice});
    return schedule;
  }
};

class Search {
 public:
  Search(Prober& prober, const KnownRun& known, bool matches, uint32_t limit, Budget* budget)
      : prober_(prober),
        key_(known.result.failure_key),
        best_(known.cost()),
        matches_(matches),
        limit_(limit),
        budget_(*budget) {}

  Fewest run() {
    auto root = std::make_shared<const trace::Schedule>();
    add({0, 0}, {root, 0, 0});
    auto next = [this] { return next_run(); };
    auto see = [this](const Probe& probe) { return look_at(probe); };
    fewest_.interrupted = !prober_.run_all(next, see);
    bool lost = fewest_.interrupted || dropped_ || went_astray_ || !under_way_.empty();
    Price open = waiting_.empty() ? Price{~0u, ~0u} : waiting_.begin()->first;
    fewest_.proved = !lost && open.first >= best_.preemptions;
    fewest_.complete = !lost && open > Price{best_.preemptions, best_.switches};
    return std::move(fewest_);
  }

 private:
  void add(Price price, Candidate candidate) {
    if (waiting_count_ == kMostWaiting) {
      dropped_ = true;
      return;
    }
    waiting_[price].push_back(std::move(candidate));
    ++waiting_count_;
  }

  std::optional<Rerun> next_run() {
    if (budget_.is_spent() || waiting_.empty()) return std::nullopt;
    auto cheapest = waiting_.begin();
    if (cheapest->first > Price{best_.preemptions, best_.switches}) return std::nullopt;
    Candidate candidate = std::move(cheapest->second.front());
    cheapest->second.pop_front();
    if (cheapest->second.empty()) waiting_.erase(cheapest);
    --waiting_count_;
    Rerun rerun = rerun_along(candidate.schedule(), notes_flag(matches_));
    rerun.limit = limit_;
    under_way_.push_back(candidate.parent->empty() && candidate.choice == 0 ? 0
                                                                            : candidate.step + 1);
    return rerun;
  }

  bool look_at(const Probe& probe) {
    uint32_t first = under_way_.front();
    under_way_.pop_front();
    budget_.pay(probe.result);
    wire::Ending ending = probe.result.ending;
    if (ending == wire::Ending::diverged || ending == wire::Ending::unsupported) {
      went_astray_ = true;
      return false;
    }
    // What it would have led to is not known.
    if (probe.steps.empty() || probe.result.failure == wire::Failure::hang) {
      dropped_ = true;
      return true;
    }
    if (probe.declares_states) matches_ = false;
    if (probe.result.failure_key == key_) {
      KnownRun run = known_run(probe);
      if (run.cost() < best_) {
        best_ = run.cost();
        fewest_.run = std::move(run);
      }
    }
    branch(probe, first);
    return true;
  }

  // All options from step `first` on that may lead to something simpler.
  void branch(const Probe& probe, uint32_t first) {
    std::shared_ptr<const trace::Schedule> schedule;
    StateNotes notes(matches_ ? probe.notes : std::span<const uint64_t>());
    Price price{0, 0};
    for (uint32_t i = 0; i < probe.steps.size(); ++i) {
      const wire::Step& step = probe.steps[i];
      if (Cost{price.first, price.second, i} >= best_) return;
      if (i >= first && step.options > 1) {
        if (!is_cheapest(notes.at(i), price)) return;
        if (schedule == nullptr) {
          schedule = std::make_shared<const trace::Schedule>(trace::schedule_of(probe.steps));
        }
        for (uint32_t choice = 0; choice < step.options; ++choice) {
          if (choice == step.choice) continue;
          uint32_t more = choice >= step.free_options && choice != 0 ? 1 : 0;
          add({price.first + more, price.second + more}, {schedule, i, choice});
        }
      }
      price.first += is_preemption(step) ? 1 : 0;
      price.second += i > 0 && step.thread != probe.steps[i - 1].thread ? 1 : 0;
    }
  }

  // Whether nobody has come to the node for less.
  bool is_cheapest(const std::optional<StateNotes::Note>& note, Price price) {
    if (!note.has_value()) return true;
    auto [found, is_new] = prices_.emplace(mix(note->key, note->thread), price);
    if (is_new) return true;
    if (found->second <= price) return false;
    found->second = price;
    return true;
  }

  Prober& prober_;
  const uint64_t key_;
  Cost best_;
  bool matches_;
  const uint32_t limit_;
  Budget& budget_;
  std::map<Price, std::deque<Candidate>> waiting_;
  size_t waiting_count_ = 0;
  std::deque<uint32_t> under_way_;              // from which step on they are new
  std::unordered_map<uint64_t, Price> prices_;  // of nodes
  bool dropped_ = false;
  bool went_astray_ = false;
  Fewest fewest_;
};

}  // namespace

Fewest find_fewest(Prober& prober, const KnownRun& known, bool matches, uint32_t limit,
                   Budget* budget) {
  return Search(prober, known, matches, limit, budget).run();
}

}  // namespace heddle::session

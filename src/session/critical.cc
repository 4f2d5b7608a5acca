#include "session/critical.h"

#include <bit>
#include <deque>
#include <map>
#include <unordered_set>
#include <utility>

namespace heddle::session {

namespace {

constexpr size_t kMostWaiting = 1'000'000;
constexpr uint64_t kLeastTries = 20;  // executions, of a state that is looked at by halves

// What the runs below a state have come to.
enum class Found { nothing, pass, lost };

// Runs continuations of prefixes, and remembers the states that it has been in.
class Continuations {
 public:
  Continuations(Prober& prober, bool matches, Budget* budget)
      : prober_(prober), matches_(matches), budget_(*budget) {}

  struct Candidate {
    trace::Schedule schedule;
    uint32_t first;  // the steps from here on are its own
    uint32_t preemptions = 0;
  };
  enum class Order { depth_first, few_preemptions };

  // Those that begin with one of `roots`, until one passes.
  Found run(std::vector<Candidate> roots, Order order) {
    order_ = order;
    found_ = Found::nothing;
    stack_.clear();
    bins_.clear();
    waiting_ = 0;
    for (Candidate& root : roots) add(std::move(root));
    auto next = [this] { return next_run(); };
    auto see = [this](const Probe& probe) { return look_at(probe); };
    if (!prober_.run_all(next, see)) found_ = Found::lost;
    under_way_.clear();
    return found_;
  }

  bool is_complete() const { return waiting_ == 0 && !dropped_; }
  bool was_lost() const { return found_ == Found::lost; }
  // Executions, without those that were discarded by heddle::assume.
  uint64_t tried() const { return tried_; }
  std::optional<KnownRun>& passing() { return passing_; }

  // Of an execution that is known: the state before the step need not be looked at again.
  void leave_out(uint64_t key) { seen_.insert(key); }

 private:
  void add(Candidate candidate) {
    if (waiting_ == kMostWaiting) {
      dropped_ = true;
      return;
    }
    ++waiting_;
    if (order_ == Order::depth_first) {
      stack_.push_back(std::move(candidate));
    } else {
      bins_[candidate.preemptions].push_back(std::move(candidate));
    }
  }

  std::optional<Rerun> next_run() {
    if (waiting_ == 0 || budget_.is_spent()) return std::nullopt;
    --waiting_;
    Candidate candidate;
    if (order_ == Order::depth_first) {
      candidate = std::move(stack_.back());
      stack_.pop_back();
    } else {
      auto least = bins_.begin();
      candidate = std::move(least->second.front());
      least->second.pop_front();
      if (least->second.empty()) bins_.erase(least);
    }
    under_way_.push_back(candidate.first);
    return rerun_along(std::move(candidate.schedule), notes_flag(matches_));
  }

  bool look_at(const Probe& probe) {
    uint32_t first = under_way_.front();
    under_way_.pop_front();
    budget_.pay(probe.result);
    if (probe.declares_states) matches_ = false;
    // Places that race and are no operations: states that look the same need not be.
    if (probe.result.racing_key != 0 && matches_) dropped_ = true;
    switch (probe.result.ending) {
      case wire::Ending::finished:
        passing_ = known_run(probe);
        found_ = Found::pass;
        return false;
      case wire::Ending::failed:
        ++tried_;
        break;
      case wire::Ending::pruned:
        break;
      default:  // cut short, or astray: what would have come is not known
        found_ = Found::lost;
        return false;
    }
    if (probe.steps.empty()) {
      dropped_ = true;
    } else {
      branch(probe, first);
    }
    return true;
  }

  void branch(const Probe& probe, uint32_t first) {
    StateNotes notes(matches_ ? probe.notes : std::span<const uint64_t>());
    uint32_t preemptions = 0;
    for (uint32_t i = 0; i < probe.steps.size(); ++i) {
      const wire::Step& step = probe.steps[i];
      if (i >= first && step.options > 1) {
        std::optional<StateNotes::Note> note = notes.at(i);
        if (note.has_value() && !seen_.insert(note->key).second) return;
        for (uint32_t choice = 0; choice < step.options; ++choice) {
          if (choice == step.choice) continue;
          uint32_t more = choice >= step.free_options && choice != 0 ? 1 : 0;
          add({branch_off(probe.steps, i, choice), i + 1, preemptions + more});
        }
      }
      preemptions += is_preemption(step) ? 1 : 0;
    }
  }

  Prober& prober_;
  bool matches_;
  Budget& budget_;
  Order order_{};
  std::vector<Candidate> stack_;
  std::map<uint32_t, std::deque<Candidate>> bins_;  // by preemptions
  size_t waiting_ = 0;
  std::deque<uint32_t> under_way_;
  std::unordered_set<uint64_t> seen_;  // states
  uint64_t tried_ = 0;
  bool dropped_ = false;
  Found found_{};
  std::optional<KnownRun> passing_;
};

class CriticalSearch {
 public:
  CriticalSearch(Prober& prober, const KnownRun& failing, bool matches, Budget* budget)
      : prober_(prober),
        failing_(failing),
        steps_(failing.steps),
        matches_(matches),
        budget_(*budget) {}

  std::optional<Critical> run() {
    Budget first_half = budget_.part(budget_.left() / 2);
    std::optional<Critical> critical = backwards(&first_half);
    budget_.give_back(first_half);
    if (critical.has_value() || was_lost_) return critical;
    return by_halves();
  }

 private:
  // nullopt: the budget did not last; states up to doomed_ are not known.
  std::optional<Critical> backwards(Budget* budget) {
    // Its states are known from here: they come from the last one on, one by one.
    Continuations below(prober_, matches_, budget);
    std::vector<uint64_t> keys = matches_ ? keys_of_failing(budget) : std::vector<uint64_t>();
    if (was_lost_) return std::nullopt;
    for (uint32_t j = static_cast<uint32_t>(steps_.size()); j-- > 0;) {
      if (steps_[j].options <= 1) continue;
      uint64_t tried = below.tried() + 1;
      bool was_complete = below.is_complete();
      if (!keys.empty() && keys[j] != 0) below.leave_out(keys[j]);
      std::vector<Continuations::Candidate> others;
      for (uint32_t choice = 0; choice < steps_[j].options; ++choice) {
        if (choice == steps_[j].choice) continue;
        others.push_back({branch_off(steps_, j, choice), j + 1});
      }
      Found found = below.run(std::move(others), Continuations::Order::depth_first);
      if (found == Found::lost) {
        was_lost_ = true;
        return std::nullopt;
      }
      if (found == Found::pass) return Critical{j, tried, was_complete, std::move(below.passing())};
      if (budget->is_spent()) return std::nullopt;
      doomed_ = j;
      doomed_tried_ = below.tried() + 1;
      doomed_all_ = below.is_complete();
    }
    return Critical{std::nullopt, below.tried() + 1, below.is_complete(), std::nullopt};
  }

  // The states of the failing execution, before each of its steps; 0: not known.
  std::vector<uint64_t> keys_of_failing(Budget* budget) {
    std::vector<uint64_t> keys(steps_.size(), 0);
    bool seen = false;
    auto next = [&]() -> std::optional<Rerun> {
      if (std::exchange(seen, true)) return std::nullopt;
      return rerun_along(failing_.schedule(), wire::kNoteStates);
    };
    auto see = [&](const Probe& probe) {
      budget->pay(probe.result);
      // It must go the same way, or nothing is known of it.
      was_lost_ = probe.result.sequence != failing_.result.sequence;
      if (probe.declares_states) matches_ = false;
      StateNotes notes(probe.notes);
      for (uint32_t i = 0; i < keys.size() && matches_; ++i) {
        if (auto note = notes.at(i)) keys[i] = note->key;
      }
      return false;
    };
    if (!prober_.run_all(next, see)) was_lost_ = true;
    if (!matches_) keys.clear();
    return keys;
  }

  struct Tried {
    Found found = Found::nothing;
    uint64_t count = 0;
    bool all = false;
    std::optional<KnownRun> passing;
  };

  // Some continuations of the state before step `count`.
  Tried try_some(uint32_t count, uint64_t units) {
    Budget some = budget_.part(units);
    Continuations below(prober_, matches_, &some);
    Tried tried;
    tried.found = below.run({{trace::schedule_of(steps_.first(count)), count}},
                            Continuations::Order::few_preemptions);
    tried.count = below.tried();
    tried.all = below.is_complete();
    tried.passing = std::move(below.passing());
    budget_.give_back(some);
    return tried;
  }

  std::optional<Critical> by_halves() {
    uint32_t high = doomed_.value_or(static_cast<uint32_t>(steps_.size()));  // nothing passes below
    uint64_t tries = static_cast<uint64_t>(std::bit_width(steps_.size())) + 2;
    uint64_t units = budget_.left() / tries;
    // As much for each of them.
    if (units < kLeastTries * steps_.size()) return std::nullopt;
    Tried above{Found::nothing, doomed_tried_, doomed_all_, std::nullopt};
    Tried passed = try_some(0, units);
    if (passed.found == Found::lost) return std::nullopt;
    if (passed.found == Found::nothing) {
      return Critical{std::nullopt, passed.count, passed.all, std::nullopt};
    }
    uint32_t low = 0;  // something passes below
    while (high - low > 1) {
      uint32_t middle = low + (high - low) / 2;
      Tried tried = try_some(middle, units);
      if (tried.found == Found::lost) return std::nullopt;
      if (tried.found == Found::pass) {
        low = middle;
        passed = std::move(tried);
      } else {
        high = middle;
        above = std::move(tried);
      }
    }
    if (above.count == 0) above = try_some(high, units);
    if (above.found != Found::nothing || above.count == 0) return std::nullopt;
    return Critical{low, above.count, above.all, std::move(passed.passing)};
  }

  Prober& prober_;
  const KnownRun& failing_;
  std::span<const wire::Step> steps_;
  bool matches_;
  Budget& budget_;
  bool was_lost_ = false;
  // The state before this step has no continuation that passes, as all of them have shown.
  std::optional<uint32_t> doomed_;
  uint64_t doomed_tried_ = 0;
  bool doomed_all_ = false;
};

}  // namespace

std::optional<Critical> find_critical(Prober& prober, const KnownRun& failing, bool matches,
                                      Budget* budget) {
  if (failing.steps.empty() || budget->is_spent()) return std::nullopt;
  return CriticalSearch(prober, failing, matches, budget).run();
}

}  // namespace heddle::session

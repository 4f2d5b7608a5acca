// Reversals, and what all observations have in common; branches.cc has the rest.
#include "causality/observation.h"

#include "wire/dependence.h"

namespace heddle::causality {

using wire::Op;

namespace {

// By default others go before a thread with such an operation, or may.
bool may_give_way(Op op) { return wire::has(op, wire::kGivesWay); }

bool preempts(const wire::Step& step) { return step.choice >= step.free_options; }

}  // namespace

void Observation::look_at(const wire::Directive& directive, const Execution& execution,
                          std::span<const wire::Decision> decisions) {
  execution_ = &execution;
  is_read_ = false;
  head_ = {};
  head_.sequence = execution.result.sequence;
  reversal_count_ = 0;
  branches_ = {};
  ways_ = {};
  open_steps_ = {};
  reversals_ = {};
  wakeup_ = {};
  alternatives_ = {};
  if ((directive.flags & wire::kObserveBranches) != 0) find_branches(directive);
  bool can_be_reversed = execution.is_whole() && execution.result.thread_count <= kMaxThreads;
  if ((directive.flags & wire::kObserveReversals) != 0 && can_be_reversed) {
    head_.has_reversals = 1;
    bool wants_lineage = (directive.flags & wire::kObserveLineage) != 0;
    if (!wants_lineage || !find_lineage(directive, decisions)) {
      find_reversals(directive, decisions);
    }
  }
}

// Races are of no interest, but what happens before what. False: it cannot be told.
bool Observation::find_lineage(const wire::Directive& directive,
                               std::span<const wire::Decision> decisions) {
  auto last = static_cast<uint32_t>(steps().size()) - 1;
  races_.look_at(result(), steps(), execution_->pending, last + 1);
  head_.lineage = lineage_.look_at(races_, result(), directive.first_step, decisions);
  if (head_.lineage == wire::Lineage::foreign) return false;
  preemptions_.clear();
  preemptions_.push_back(0);
  head_.last = fork(last);
  head_.last_op = steps()[last].op;
  bool is_told = head_.lineage == wire::Lineage::told;
  reversal_count_ = is_told ? static_cast<uint32_t>(lineage_.children().size()) : 0;
  return true;
}

void Observation::find_reversals(const wire::Directive& directive,
                                 std::span<const wire::Decision> decisions) {
  races_.look_at(result(), steps(), execution_->pending, directive.first_step);
  follow_sleepers(decisions);
  preemptions_.clear();
  preemptions_.push_back(0);
  auto last = static_cast<uint32_t>(steps().size()) - 1;
  uint32_t of_last = preempts(steps()[last]) ? 1 : 0;
  uint32_t all = result().preemptions;
  head_.last = fork_with(last, all - (of_last < all ? of_last : all));
  head_.last_op = steps()[last].op;
  found_open_.clear();
  for (uint32_t i = directive.first_step; i <= last; ++i) {
    const wire::Step& step = steps()[i];
    if (step.outcomes > 1) found_open_.push_back({fork(i), step.outcome, step.outcomes, 0});
  }
  open_steps_ = {found_open_.begin(), found_open_.size()};
  find_alternatives(directive.first_step);
  race_of_.clear();
  std::span<const Race> found = races_.found();
  for (uint32_t i = 0; i < found.size(); ++i) {
    // Steps that no execution can have made may race with what is none.
    bool is_of_steps = found[i].first <= last;
    if (!is_of_steps || is_of_script(found[i])) continue;
    if (!is_covered_by_sleeper(found[i])) race_of_.push_back(i);
  }
  reversal_count_ = static_cast<uint32_t>(race_of_.size());
}

// Where a test script decides who goes, all that could have gone are alternatives, and nothing is
// to be reversed. What it does itself, or keeps a thread from doing, could not have come earlier.
bool Observation::is_of_script(const Race& race) const {
  return ((races_.event(race.first).flags | races_.event(race.second).flags) & wire::kScripted) !=
         0;
}

void Observation::find_alternatives(uint32_t from) {
  found_alternatives_.clear();
  std::span<const uint16_t> threads = execution_->option_threads;
  uint64_t first = 0;  // of the step's options
  for (uint32_t i = 0; i < steps().size(); ++i) {
    const wire::Step& step = steps()[i];
    uint64_t end = first + step.options;
    bool decides = i >= from && step.options > 1 && (step.flags & wire::kScripted) != 0;
    if (decides && end > threads.size()) {
      head_.misses_alternatives = 1;
      break;
    }
    for (uint64_t k = first; decides && k < end; ++k) {
      // The options of a thread follow each other.
      bool is_new = threads[k] != step.thread && (k == first || threads[k] != threads[k - 1]);
      if (is_new) found_alternatives_.push_back({fork(i), threads[k], 0, 0});
    }
    first = end;
  }
  alternatives_ = {found_alternatives_.begin(), found_alternatives_.size()};
}

// What the runtime does with the threads that a schedule puts to sleep, done again.
void Observation::follow_sleepers(std::span<const wire::Decision> decisions) {
  sleep_sets_.clear();
  auto next = decisions.begin();
  auto skip = [&] {
    while (next != decisions.end() && !next->is_sleep()) ++next;
  };
  skip();
  if (next == decisions.end()) return;
  sleep_sets_.follow(races_, next->step, [&](uint32_t step, uint64_t* asleep) {
    for (; next != decisions.end() && next->step == step; skip()) {
      *asleep |= uint64_t{1} << next->thread();
      ++next;
    }
    return *asleep != 0 || next != decisions.end();
  });
}

// A sleeper will do what the race is to be reversed for.
bool Observation::is_covered_by_sleeper(const Race& race) const {
  for (uint64_t rest = sleep_sets_.before(race.first); rest != 0; rest &= rest - 1) {
    auto thread = static_cast<uint32_t>(__builtin_ctzll(rest));
    if (races_.is_early_initial(race, thread)) return true;
  }
  return false;
}

wire::Fork Observation::fork(uint32_t step) {
  for (uint64_t i = preemptions_.size(); i <= step; ++i) {
    preemptions_.push_back(preemptions_.back() + (preempts(steps()[i - 1]) ? 1 : 0));
  }
  return fork_with(step, preemptions_[step]);
}

wire::Fork Observation::fork_with(uint32_t step, uint32_t preemptions) const {
  const wire::Step& made = steps()[step];
  wire::Fork fork{};
  fork.step = step;
  fork.check = made.check;
  fork.preemptions = preemptions;
  fork.thread = made.thread;
  fork.thread_before = steps()[step == 0 ? 0 : step - 1].thread;
  // Where the running thread could have gone on, its options are the free ones.
  fork.may_go_on = made.free_options < made.options ? 1 : 0;
  return fork;
}

wire::Reversal Observation::reversal(uint32_t number) {
  if (is_read_) return reversals_[number];
  if (lineage() == wire::Lineage::told) return child(number);
  const Race& which = race(number);
  std::span<const uint32_t> sequence = races_.wakeup(which);
  const wire::Step& chosen = races_.event(sequence.front());
  found_wakeup_.clear();
  if (chosen.outcome == 0) find_wakeup(which, sequence);
  wakeup_ = {found_wakeup_.begin(), found_wakeup_.size()};
  wire::Reversal reversal{};
  reversal.fork = fork(which.first);
  reversal.thread = chosen.thread;
  reversal.outcome = chosen.outcome;
  reversal.conservative = which.conservative ? 1 : 0;
  reversal.wakeup_count = static_cast<uint16_t>(wakeup_.size());
  return reversal;
}

wire::Reversal Observation::child(uint32_t number) {
  const Lineage::Child& child = lineage_.children()[number];
  std::span<const wire::WakeupStep> schedule = lineage_.schedule(child);
  wakeup_ = schedule.subspan(1);
  wire::Reversal reversal{};
  reversal.fork = fork(child.step);
  reversal.thread = schedule.front().thread;
  reversal.wakeup_count = static_cast<uint16_t>(wakeup_.size());
  return reversal;
}

// The sequence after its first event, as far as the default would not do the same: the running
// thread goes on unless it gives way.
void Observation::find_wakeup(const Race& race, std::span<const uint32_t> sequence) {
  for (uint32_t i = 1; i < sequence.size() && found_wakeup_.size() < kMaxWakeup; ++i) {
    const wire::Step& step = races_.event(sequence[i]);
    bool goes_on = step.thread == races_.event(sequence[i - 1]).thread && step.outcome == 0;
    if (goes_on && !may_give_way(step.op)) continue;
    found_wakeup_.push_back({race.first + i, step.thread, step.outcome});
  }
}

void Observation::add_initials(uint32_t number, wire::Reversal* reversal) const {
  for (uint32_t thread = 0; thread < races_.thread_count(); ++thread) {
    uint64_t bit = uint64_t{1} << thread;
    if (races_.is_initial(race(number), thread)) {
      reversal->initials |= bit;
      reversal->weak_initials |= bit;
    } else if (races_.is_weak_initial(race(number), thread)) {
      reversal->weak_initials |= bit;
    }
  }
}

}  // namespace heddle::causality

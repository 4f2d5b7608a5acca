#include "causality/lessons.h"

#include "causality/append.h"
#include "causality/sleepers.h"
#include "wire/dependence.h"

namespace heddle::causality {

using wire::Op;

namespace {

// By default others go before a thread with such an operation, or may.
bool may_give_way(Op op) { return wire::has(op, wire::kGivesWay); }

}  // namespace

void Lessons::look_at(const wire::Result& result, std::span<const wire::Step> steps,
                      std::span<const wire::Step> pending,
                      std::span<const wire::Decision> decisions, uint32_t from) {
  steps_ = steps;
  from_ = from;
  races_.look_at(result, steps, pending, from);
  follow_sleepers(decisions);
  preemptions_.clear();
  preemptions_.push_back(0);
}

// What the runtime does with the threads that a schedule puts to sleep, done again: who sleeps
// before each step.
void Lessons::follow_sleepers(std::span<const wire::Decision> decisions) {
  asleep_.clear();
  auto next = decisions.begin();
  auto skip = [&] {
    while (next != decisions.end() && !next->is_sleep()) ++next;
  };
  skip();
  if (next == decisions.end()) return;
  sleep_begin_ = next->step;
  uint64_t asleep = 0;
  for (uint32_t i = sleep_begin_; i < steps_.size(); ++i) {
    asleep_.push_back(asleep);
    for (; next != decisions.end() && next->step == i; skip()) {
      asleep |= uint64_t{1} << next->thread();
      ++next;
    }
    if (asleep != 0) {
      asleep = still_asleep(asleep, races_, i);
    } else if (next == decisions.end()) {
      return;
    }
  }
}

wire::Fork Lessons::fork(uint32_t step) {
  for (uint64_t i = preemptions_.size(); i <= step; ++i) {
    const wire::Step& before = steps_[i - 1];
    bool preempts = before.choice >= before.free_options;
    preemptions_.push_back(preemptions_.back() + (preempts ? 1 : 0));
  }
  const wire::Step& made = steps_[step];
  wire::Fork fork{};
  fork.step = step;
  fork.check = made.check;
  fork.preemptions = preemptions_[step];
  fork.thread = static_cast<uint16_t>(made.thread);
  fork.thread_before = static_cast<uint16_t>(steps_[step == 0 ? 0 : step - 1].thread);
  // Where the running thread could have gone on, its options are the free ones.
  fork.may_go_on = made.free_options < made.options ? 1 : 0;
  return fork;
}

bool Lessons::is_covered_by_sleeper(const Race& race) const {
  if (race.first < sleep_begin_ || race.first - sleep_begin_ >= asleep_.size()) return false;
  for (uint64_t rest = asleep_[race.first - sleep_begin_]; rest != 0; rest &= rest - 1) {
    auto thread = static_cast<uint32_t>(__builtin_ctzll(rest));
    if (races_.is_early_initial(race, thread)) return true;
  }
  return false;
}

// The sequence after its first event, as far as the default would not do the same: the running
// thread goes on unless it gives way.
void Lessons::find_wishes(const Race& race, std::span<const uint32_t> sequence) {
  wishes_.clear();
  for (uint32_t i = 1; i < sequence.size() && wishes_.size() < kMaxWishes; ++i) {
    const wire::Step& step = races_.event(sequence[i]);
    bool goes_on = step.thread == races_.event(sequence[i - 1]).thread && step.outcome == 0;
    if (goes_on && !may_give_way(step.op)) continue;
    wishes_.push_back({race.first + i, static_cast<uint16_t>(step.thread), step.outcome});
  }
}

wire::Reversal Lessons::reversal(const Race& race) {
  std::span<const uint32_t> sequence = races_.wakeup(race);
  const wire::Step& chosen = races_.event(sequence.front());
  wishes_.clear();
  if (chosen.outcome == 0) find_wishes(race, sequence);
  wire::Reversal reversal{};
  reversal.fork = fork(race.first);
  reversal.thread = static_cast<uint16_t>(chosen.thread);
  reversal.outcome = chosen.outcome;
  reversal.conservative = race.conservative ? 1 : 0;
  reversal.wish_count = static_cast<uint16_t>(wishes_.size());
  return reversal;
}

void Lessons::add_initials(const Race& race, wire::Reversal* reversal) const {
  for (uint32_t thread = 0; thread < races_.thread_count(); ++thread) {
    uint64_t bit = uint64_t{1} << thread;
    if (races_.is_initial(race, thread)) {
      reversal->initials |= bit;
      reversal->weak_initials |= bit;
    } else if (races_.is_weak_initial(race, thread)) {
      reversal->weak_initials |= bit;
    }
  }
}

bool Lessons::tell(Array<char>* out) {
  wire::Lessons head{};
  const wire::Step& last = steps_.back();
  head.last_thread = static_cast<uint16_t>(last.thread);
  head.last_op = last.op;
  out->clear();
  append(out, &head, 1);
  for (uint32_t i = from_; i < steps_.size(); ++i) {
    const wire::Step& step = steps_[i];
    if (step.outcomes <= 1) continue;
    wire::Choice choice{fork(i), step.outcome, step.outcomes, 0};
    append(out, &choice, 1);
    ++head.choice_count;
  }
  all_wishes_.clear();
  for (const Race& race : races_.found()) {
    if (is_covered_by_sleeper(race)) continue;
    wire::Reversal told = reversal(race);
    add_initials(race, &told);
    append(out, &told, 1);
    for (const wire::Wish& wish : wishes_) all_wishes_.push_back(wish);
    ++head.reversal_count;
    if (out->size() > wire::kMaxToldBytes) return false;
  }
  head.wish_count = static_cast<uint32_t>(all_wishes_.size());
  append(out, all_wishes_.begin(), all_wishes_.size());
  __builtin_memcpy(out->begin(), &head, sizeof head);
  return out->size() <= wire::kMaxToldBytes;
}

}  // namespace heddle::causality

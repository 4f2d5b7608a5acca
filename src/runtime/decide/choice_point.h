// A choice point: what can go now, as a list of options, numbered in the order that wire::Step
// describes. Option 0 is the default behaviour.
//
// The list is not written down: most decisions need its length and one entry of it, while there may
// be a thousand threads that are ready. It is walked, by threads, as far as is asked for.
#pragma once

#include "runtime/filter/filters.h"
#include "runtime/run.h"

namespace heddle::runtime {

struct Option {
  Thread* thread;    // null: there is no such option
  uint32_t outcome;  // of its operation, where that is open
  bool free;         // it is no preemption
  bool late;         // the thread gives way, or lets its time pass
  bool spurious;     // it wakes for no reason
};

// How many outcomes the thread's pending operation has, which is open.
uint32_t outcomes(const Thread* thread);
inline uint32_t number_of_outcomes(const Thread* thread) {
  return thread->pending.open ? outcomes(thread) : 1;
}

// How many options there are beyond one for each thread that can go.
uint32_t count_further_outcomes();

class ChoicePoint {
 public:
  static constexpr uint32_t kNone = 0xffffffff;

  ChoicePoint();  // as things stand now
  // The same where threads are ready or cannot go, and no filter is at work.
  explicit ChoicePoint(Thread* running)
      : count_(g_run.ready_count), front_(running), goes_on_(running->state == State::ready) {
    free_ = goes_on_ ? 1 : count_;
  }

  uint32_t count() const { return count_; }
  uint32_t free_count() const { return free_; }  // the first so many are no preemptions

  Option at(uint32_t number) const;
  // The number of an option; kNone: there is no such one.
  uint32_t find(uint32_t thread, uint32_t outcome) const;
  // The default: the number of the first option that no filter passes over. If all are, nobody has
  // to see what comes, and the execution ends.
  uint32_t first() const {
    return HEDDLE_LIKELY(!passes_over_some()) ? 0 : first_not_passed_over();
  }

  // Calls visit(thread, options) for all threads that can go, in the order of options. One that
  // can wake spuriously as well as go comes twice.
  template <typename Visit>
  void for_each_thread(Visit visit) const {
    walk([&](const Turn& turn) {
      visit(turn.thread, turn.outcomes);
      return false;
    });
  }
  // The number of the thread's n-th option.
  uint32_t option_of(const Thread* thread, uint32_t n) const;

  // Calls visit(option) for all of them, by number.
  template <typename Visit>
  void for_each(Visit visit) const {
    uint32_t number = 0;
    walk([&](const Turn& turn) {
      for (uint32_t i = 0; i < turn.outcomes; ++i) visit(option(turn, i, number++));
      return false;
    });
  }

 private:
  // Options that follow each other: a thread's outcomes, from `first` on.
  struct Turn {
    Thread* thread;
    uint32_t first;
    uint32_t outcomes;
    bool late;
    bool spurious;
  };

  Option option(const Turn& turn, uint32_t i, uint32_t number) const {
    return {turn.thread, turn.first + i, number < free_, turn.late, turn.spurious};
  }

  // Calls visit(turn) for one thread after the other, in the order of options, until it returns
  // true.
  template <typename Visit>
  void walk(Visit visit) const;

  uint32_t first_not_passed_over() const;

  // Whether an option is a thread, and the ready ones are all there: they need not be walked then.
  bool is_plain() const { return g_run.open_count == 0 && g_run.held_back == 0; }
  // Bits of Run::ready, but for the front thread's, whose turn is another.
  uint64_t ready_others(uint32_t word) const {
    uint64_t bits = g_run.ready[word];
    if (front_->state == State::ready && front_->rank / 64 == word) {
      bits &= ~(uint64_t{1} << (front_->rank % 64));
    }
    return bits;
  }

  uint32_t count_;
  uint32_t free_;
  Thread* front_;  // the running thread, or whom a script takes up again
  bool goes_on_;   // that one can go, and does not give way
};

// The first ready thread with a rank of at least `from` that nobody holds back, or null.
inline Thread* next_ready(uint32_t from) {
  const Run& run = g_run;
  for (;; ++from) {
    if (from >= run.living_count) return nullptr;
    uint32_t word = from / 64;
    uint64_t bits = run.ready[word] & (~uint64_t{0} << (from % 64));
    while (bits == 0) {
      if (++word * 64 >= run.living_count) return nullptr;
      bits = run.ready[word];
    }
    from = word * 64 + static_cast<uint32_t>(__builtin_ctzll(bits));
    if (!is_held_back(run.living[from])) return run.living[from];
  }
}

// The late thread that comes after `last`, by deadline; null: the first one.
Thread* next_late(const Thread* last);

// The first sleeper with a rank of at least `from` that may wake for no reason, or null.
Thread* next_open_sleeper(uint32_t from);

template <typename Visit>
void ChoicePoint::walk(Visit visit) const {
  Thread* current = front_;
  auto visit_outcomes = [&](Thread* thread) {
    return visit(Turn{thread, 0, number_of_outcomes(thread), false, false});
  };
  if (goes_on_ && visit_outcomes(current)) return;
  for (Thread* thread = next_ready(0); thread != nullptr; thread = next_ready(thread->rank + 1)) {
    if (thread != current && visit_outcomes(thread)) return;
  }
  bool gives_way = !goes_on_ && current->state == State::ready && !is_held_back(current);
  if (gives_way && visit_outcomes(current)) return;
  if (g_run.late_count != 0) {
    for (Thread* thread = next_late(nullptr); thread != nullptr; thread = next_late(thread)) {
      if (visit(Turn{thread, 0, 1, true, false})) return;
    }
  }
  if (g_run.open_count == 0) return;
  for (Thread* thread = next_open_sleeper(0); thread != nullptr;
       thread = next_open_sleeper(thread->rank + 1)) {
    if (visit(Turn{thread, kSpuriously, 1, false, true})) return;
  }
}

}  // namespace heddle::runtime

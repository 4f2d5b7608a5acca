// What the samplers that go by priorities have in common: the thread of the highest one goes, and
// of its outcomes any.
#pragma once

#include "base/random.h"
#include "runtime/decide/choice_point.h"

namespace heddle::runtime {

// Who sleeps, or waits for a time to come, mostly gives way to all others, and one time in four
// counts like them: else a clock that runs for ever would keep the rest from going.
inline bool gives_way(const Thread* thread, uint64_t priority) {
  return thread->state == State::late && priority % 4 != 0;
}

// Of two priorities, of threads that give way or not.
struct Rank {
  uint32_t worth;  // the sampler's own: it goes before all else
  bool is_first;
  uint64_t priority;
  bool operator<(const Rank& other) const {
    if (worth != other.worth) return worth < other.worth;
    return is_first != other.is_first ? other.is_first : priority < other.priority;
  }
};
inline Rank rank_of(const Thread* thread, uint64_t priority, uint32_t worth = 0) {
  return {worth, !gives_way(thread, priority), priority};
}

// An option of the thread; all of them alike.
inline uint32_t any_option_of(const ChoicePoint& point, const Thread* thread, Random* random) {
  uint32_t options = 0;
  point.for_each_thread([&](const Thread* other, uint32_t outcomes) {
    if (other == thread) options += outcomes;
  });
  auto n = options == 1 ? 0 : static_cast<uint32_t>(random->below(options));
  return point.option_of(thread, n);
}

// The thread with the highest of what `priority(thread)` says; of equal ones the first.
template <typename Priority>
Thread* highest(const ChoicePoint& point, Priority priority) {
  Thread* best = nullptr;
  decltype(priority(best)) highest{};
  point.for_each_thread([&](Thread* thread, uint32_t) {
    auto its = priority(thread);
    if (best != nullptr && !(highest < its)) return;
    best = thread;
    highest = its;
  });
  return best;
}

}  // namespace heddle::runtime

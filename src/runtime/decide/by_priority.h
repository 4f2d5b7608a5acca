// What the samplers that go by priorities have in common: the thread of the highest one goes, and
// of its outcomes any.
#pragma once

#include "base/random.h"
#include "runtime/decide/choice_point.h"

namespace heddle::runtime {

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

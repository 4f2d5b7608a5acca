// What modelled objects share: threads that wait for an object to become free.
#pragma once

#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

inline constexpr uint32_t kFree = 0;
// How objects write down who holds them: kFree, or the thread's index + 1.
inline uint32_t holder_mark(const Thread* thread) { return thread->index + 1; }

// The state of a thread that waits for something: until its deadline if it has one.
inline State waiting_state(const Thread* thread) {
  return thread->pending.deadline == INT64_MAX ? State::blocked : State::late;
}

// The object has been taken, or become free: its waiters, as `concerns` tells them, cannot go on, or can.
template <typename Concerns>
void stop_waiters(uint64_t object, Concerns concerns) {
  for_each_pending_on(object, [&](Thread* thread) {
    if (concerns(thread)) set_state(thread, waiting_state(thread));
  });
}

template <typename Concerns>
void free_waiters(uint64_t object, Concerns concerns) {
  for_each_pending_on(object, [&](Thread* thread) {
    if (concerns(thread)) set_state(thread, State::ready);
  });
}

}  // namespace heddle::runtime

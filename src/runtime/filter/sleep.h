// Threads that sleep in the sense of sleep sets: what they would do next has been, or will be,
// explored from this very state by another schedule, so they are passed over until another thread
// has done something that theirs depends on. If nobody else is left, the execution is redundant.
#pragma once

#include "runtime/run.h"
#include "wire/dependence.h"

namespace heddle::runtime {

inline void sleep_begin_run() { g_run.asleep = 0; }

inline bool is_asleep(const Thread* thread) {
  return thread->index < wire::kSleepers && (g_run.asleep >> thread->index & 1) != 0;
}
inline void put_to_sleep(uint32_t index) {
  if (index < wire::kSleepers) g_run.asleep |= uint64_t{1} << index;
}

// What the thread's pending operation would do.
wire::Effect effect_of(const Thread* thread);

// `chosen` is about to perform its pending operation: whoever depends on it wakes.
void wake_dependent(const Thread* chosen);

}  // namespace heddle::runtime

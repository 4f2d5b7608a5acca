// Threads that filters hold back: see filters.h.
#pragma once

#include "runtime/run.h"

namespace heddle::runtime {

// The bits of Thread::held_by, one for each filter that holds threads back.
enum HeldBy : uint8_t {
  kByFairness = 1,
  kByScript = 2,
};

// Run::held_back is the number of threads with any bit set, so that options can be counted without
// a look at each thread. So only what can go is held back.
inline void hold_back(Thread* thread, HeldBy filter, bool on) {
  bool was_held = thread->held_by != 0;
  thread->held_by = static_cast<uint8_t>(on ? thread->held_by | filter : thread->held_by & ~filter);
  bool is_held = thread->held_by != 0;
  if (is_held != was_held) g_run.held_back += is_held ? 1 : -1u;
}

}  // namespace heddle::runtime

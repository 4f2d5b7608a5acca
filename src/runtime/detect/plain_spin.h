// Loops that read plain variables, and wait for another thread to change them: a data race, and no
// operation anywhere in it, so that nobody else would ever go. Told by a great many accesses
// without a step, that repeat what the thread has read before; and then by registers and stack that
// are the same when the loop comes round. Its places become operations, as those that race do
// (racing.h): then it is a spin like others (filter/spin.h), and the race is found.
#pragma once

#include <cstdint>

#include "runtime/runtime.h"

namespace heddle::runtime {

inline constexpr uint32_t kManyRepetitions = 1 << 20;
extern uint32_t g_repetitions;

void look_for_plain_spin();

// The running thread has made an access that it had made before, without giving anything away
// since.
inline void note_repetition() {
  if (HEDDLE_UNLIKELY(++g_repetitions >= kManyRepetitions)) look_for_plain_spin();
}

// While it is looked for: an access at this place.
extern bool g_watches_plain_spin;
void watch_plain_spin(uint64_t pc);
void plain_spin_begin_run();

}  // namespace heddle::runtime

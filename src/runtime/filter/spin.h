// Spins: loops that only read, and wait for another thread to write.
//
// A spin without a yield of its own would be unrolled for ever. It is recognised, and counts as a
// yield (fair.h), when its thread comes to the same place again, having read the same values from
// the same objects and written nothing in between. That alone could also be a loop that looks n
// times and then goes on: its counter is in a register or on the stack. So the thread's registers
// and stack are compared as well, as they are at the read:
// - where they are the same, the loop has no end of its own: it is recognised the third time round
//   (the second time the stack may still hold what executions before have left there), or, if it
//   has several reads, the fourth (that may also be what its own calls have left);
// - where they are not, it is taken for a spin the --spin-rounds-th time.
//
// Reads are those of operations: atomic loads, compare-exchanges that fail, updates that leave the
// value as it is, volatile reads; with --accesses all plain ones. Any other operation begins anew,
// as does a plain write outside of the thread's own stack.
#pragma once

#include "base/hash.h"
#include "runtime/carrier/local_state.h"
#include "runtime/record/recurrence.h"
#include "runtime/run.h"

namespace heddle::runtime {

inline constexpr uint32_t kLongestLoop = 4096;  // in reads

// The loop has come round.
void spin_round(Thread* self);

// The running thread has read a value in its last step.
inline void note_read(uint64_t value) {
  if (!g_fair) return;
  Thread* self = g_run.current;
  Spin& spin = self->spin;
  uint64_t read = mix(mix(self->pending.pc, value), self->pending.object);
  if (spin.patience == 0) {
    spin = {1, 0, 0, false, read, 0, 0, 0};
    return;
  }
  // Brent's way to find a cycle: the read to come back to is set anew after 1, 2, 4, … reads.
  ++spin.reads;
  spin.path = mix(spin.path, read);
  if (HEDDLE_UNLIKELY(read == spin.anchor)) {
    spin_round(self);
  } else if (spin.reads >= spin.patience) {
    uint32_t patience = spin.patience < kLongestLoop ? spin.patience * 2 : spin.patience;
    spin = {patience, 0, 0, false, read, 0, 0, 0};
  }
  if (HEDDLE_LIKELY(spin.rounds == 0)) return;
  self->flags |= wire::kMayYield;     // the next one
  if (g_clears_stack) look_closer();  // on the slow path that is done
}

// The running thread has written: what it read before does not count.
inline void note_write() { g_run.current->spin.patience = 0; }

// A plain write is no operation, and most programs make many.
inline void note_plain_write(uint64_t address) {
  Thread* self = g_run.current;
  if (HEDDLE_UNLIKELY(g_keeps_states)) note_kept_write(address);
  if (self->spin.patience != 0 && (address < self->stack_low || address >= self->stack_high)) {
    note_write();
  }
}

// Whether the thread's pending operation may turn out to be a spin.
inline bool may_spin(const Thread* thread) { return thread->spin.rounds != 0; }

// Whether a yield that the running thread makes, or is about to make, counts. A loop that yields a
// limited number of times and then goes on to something else, to sleep for example, counts its
// rounds: its registers or stack differ from the last time it was here. Such yields count only
// every kRounds times, or what the loop goes on to would not be seen; in a loop that could go on
// for ever all do, as the algorithm has it (fair.h).
bool counts_as_yield(Thread* self);
inline constexpr uint32_t kRounds = 16;

// The running thread spins without a yield of its own, and others had to be put before it.
void note_idle_spin(const Thread* self);
// … or makes --yield-after steps without one, and others had to be put before it.
void note_long_run(const Thread* self);

}  // namespace heddle::runtime

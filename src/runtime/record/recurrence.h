// Livelocks, with a proof: the program comes back to a state that it has been in, on a way that is
// fair (fair, section 3: each thread that can go anywhere on it goes somewhere on it). It can go
// round there for ever.
//
// The state is all that decides what can come: what the threads share (isolate/memory_hash.h), each
// thread's stack, registers and thread-local variables, and the operation that it waits to perform.
// Left out are:
// - the fair scheduler's own state: it says which way is taken, and this one is fair whoever takes
//   it. (A departure from "the same state": with it, cycles would be found later and be longer,
//   since turns that are counted, --yield-after, have to come round as well.);
// - the clock, and all that libc and the kernel keep. So a way on which the program asks for any of
//   that, or writes to memory that was not compared, proves nothing; nor does one on which it had a
//   choice among outcomes, or has mapped memory of its own;
// - what is free in the heap, and pointers to it. A loop may take memory and give it back: it does
//   not get the same again, since freed blocks are kept out of use for long (isolate/arena.h).
//
// To look at all memory takes microseconds. So a state is kept only at the yields number 4, 8, 16,
// … of an execution (a way for ever has yields: fair.h counts steps into one where there are none),
// and looked at again only where the threads' pending operations are the same as there.
#pragma once

#include <cstdint>

#include "runtime/run.h"

namespace heddle::runtime {

// A state that the execution was in.
struct KeptState {
  uint64_t sketch;    // what each thread is about to do: quickly made, the same where the state is
  uint64_t state;     // 0: it cannot be told
  uint64_t outside;   // Run::outside, then
  uint32_t step;      // before which it was
  uint32_t attempts;  // left, to find it again: the sketch alone was the same so often
};

void recurrence_begin_run();

// The state that the execution is in.
KeptState keep_state();
// The execution is in the same state as then, `now`, and the steps since then can be repeated for
// ever, which is fair.
bool has_come_back(const KeptState& then, const KeptState& now);

// The running thread goes alone, as long as nobody else is let go, and has yielded for the turn-th
// time: whether it has come back to where it was at one before. Then it never gets anywhere alone.
// `kept` is what is remembered from one turn to the next.
bool comes_back_alone(KeptState* kept, uint32_t turn);

// The running thread's last step was a yield, and it has reached its next operation. Ends the
// execution if it is a livelock. `counted`: the yield is one by the number of steps, of a loop that
// may have no other. The steps that follow are then looked at, too.
void look_for_recurrence(bool counted);

// States of this execution are kept. A plain write to memory that is no part of them (arguments,
// blocks of libc, frames of who called heddle::check) is one outside.
extern bool g_keeps_states;
void note_kept_write(uint64_t address);

// Steps before this one are looked at, for a recurrence without yields.
extern uint32_t g_recurrence_watch;
void watch_for_recurrence();

// A thread that is stopped is let go for a moment, to tell its local state.
extern Thread* g_visitor;  // null: it is let go for good
void answer_visitor(Thread* self);

}  // namespace heddle::runtime

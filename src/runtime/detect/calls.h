// The calls that led to an access, kept for accesses of the past.
//
// When two accesses race, the stack of the earlier one is long gone. So in an execution that is
// shown (wire::kDetail) every thread keeps its calls, as the compiler's hooks at function entry and
// exit tell them, and every access keeps its stack, shared with others from the same call. A search
// does without: an access has only its pc there.
#pragma once

#include "runtime/runtime.h"

namespace heddle::runtime {

// An execution that is shown is running: calls and stacks are kept.
extern bool g_keep_calls;
// Calls are: for this, or for a guided search (decide/guide.h).
extern bool g_track_calls;
// The hooks at function entry and exit have something to do: for this, or for the functions in
// focus (record/focus.h).
extern bool g_follow_calls;

void call_entered(uint64_t return_address);
void call_left();
void calls_reset();

// What stands for the place of an access of the running thread: its pc, or its kept stack.
uint64_t keep_stack(uint64_t pc);
inline uint64_t keep_place(uint64_t pc) {
  return HEDDLE_LIKELY(!g_keep_calls) ? pc : keep_stack(pc);
}

// Back to the pc, and to the stack.
uint64_t pc_of_place(uint64_t place);
void stack_of_place(uint64_t place, wire::Stack* stack);

}  // namespace heddle::runtime

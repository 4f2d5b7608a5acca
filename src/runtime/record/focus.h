// What the search is to look at first: functions (--focus-method), found on the stacks that the
// compiler's hooks at function entry and exit tell of, and variables (--focus-var). Each step, and
// each that is pending, says whether it was in focus: wire::kInFocus, wire::kVarInFocus.
//
// A function is known by the address that its hook is called from. One that was inlined has no
// hook; its code lies in another function's, where the pc of a step, or of a call, tells. Where
// nothing is in focus, a hook is one branch.
#pragma once

#include "runtime/runtime.h"
#include "runtime/thread.h"

namespace heddle::runtime {

extern bool g_focus;        // anything is in focus
extern bool g_focus_calls;  // functions are

void focus_begin();      // reads the region
void focus_begin_run();  // nothing has a name yet

// Of the running thread: a function that was called from `return_address` calls its hook from `pc`,
// with the stack pointer at `sp`.
void focus_entered(uint64_t pc, uint64_t return_address, uint64_t sp);
void focus_left(uint64_t sp);
void focus_jumped(uint64_t sp);  // it leaves all functions below, by longjmp

// StepFlags of what the thread is about to do.
uint16_t focus_flags_slow(const Thread* thread);
inline uint16_t focus_flags(const Thread* thread) {
  return HEDDLE_LIKELY(!g_focus) ? uint16_t{0} : focus_flags_slow(thread);
}

}  // namespace heddle::runtime

// Switching for a debugger: each thread of the program runs on the OS thread of its slot, where gdb
// finds its frames, its registers and its thread-local storage. One of them has the turn; the
// others wait for it. All else is as with a carrier: the stacks are the same, and a thread of the
// program begins at the same address of its slot's.
//
// What the kernel keeps for each OS thread, and the program takes for its own, goes with the turn:
// the signal mask. Whoever waits blocks all signals.
#pragma once

#include "runtime/carrier/slots.h"

namespace heddle::runtime {

// Decided before slots are made: executions hand over instead of switching.
extern bool g_hands_over;

// As switch_thread(). A thread that has ended leaves its stack before the other goes on, since that
// one may have a new thread begin there.
void hand_over(Thread* from, Thread* to);

// What runs on a slot's OS thread, from where its frames may not be overwritten.
[[noreturn]] void take_turns(Slot* slot);

}  // namespace heddle::runtime

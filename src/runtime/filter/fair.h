// The fair scheduler: algorithm 1 of "Fair Stateless Model Checking" (Musuvathi, Qadeer; PLDI
// 2008), as a filter on the threads that may go next.
//
// A thread that yields says that it cannot get on by itself. From its second yield on it has to
// stand back behind those that it has kept from going: (t, u) in the relation P means that t does
// not go while u can. A thread's window lasts from one of its yields to its next. The paper keeps
// for each thread t and its window three sets, brought up to date at every step; here they follow
// from moments, so that a step without a yield costs nothing:
//
//   S(t)  scheduled in the window           Thread::last_step is not before the window
//   E(t)  enabled all through the window    enabled, and Thread::enabled_since not after its start
//   D(t)  disabled in it by a step of t     a row of bits, set when it happens
//
// The state after a transition is the one in which its thread has reached its next operation: there
// lines 23 to 29 are evaluated, and the threads that stand back are found.
//
// Departures from the paper:
// - Threads are created and end: one that is new has S = D = all and E = none, as lines 2 to 4 have
//   it for the first; one that has ended is behind nobody and nobody behind it.
// - Threads from number kFairThreads on are left out: they neither stand back nor hold others back.
// - What a yield is: a loop that counts its rounds yields less often (counts_as_yield() in spin.h).
// - A thread's B-th step since its last yield is one (--yield-after B). So every execution
// satisfies
//   the good-samaritan property that the theorems ask for, and a loop without a yield, that others
//   must end, comes to its end.
// - With --fair K only every K-th yield of a thread counts (end of section 3).
#pragma once

#include <errno.h>

#include "runtime/filter/hold_back.h"
#include "runtime/filter/spin.h"

namespace heddle::runtime {

// Once for each process, and for each execution.
void fair_begin();
void fair_begin_run();

void fair_add(Thread* thread);

// The state of a thread is about to change, by what the running one does.
void fair_change(Thread* thread, State to);

// The running thread's last step was a yield. It counts when the thread reaches its next operation.
inline void note_yield(Yield yield) {
  if (!g_fair) return;
  g_run.yielded = yield;
  g_run.gives_way = true;
  g_run.current->yield_counts = yield == Yield::recognised || counts_as_yield(g_run.current);
  g_run.current->unyielded = 0;
  g_run.running_since = g_run.step;
  look_closer();
  g_run.asleep = 0;  // who comes when is noticed
  mark_latest_step(yield == Yield::own ? wire::kYields : wire::kSpins);
}

// A try was in vain: it waited for no time, which is a wait with a time limit.
inline int in_vain() {
  note_yield(Yield::own);
  return EBUSY;
}

// The running thread has reached its next operation: lines 23 to 29, where its last step was a
// yield, and whether its next step will be a yield.
void fair_arrive();
// Line 7: who stands back now. Only behind those whom a script, if there is one, lets go.
void fair_find_standing_back();

// The thread does not run any more: another makes this step.
inline void fair_stop(Thread* thread, uint32_t step) {
  if (step > 0) thread->last_step = step - 1;
  thread->unyielded += step - g_run.running_since;
  g_run.running_since = step;
}
// `chosen` goes, its step is recorded: line 13.
void fair_go(Thread* chosen);

// Whether the fair scheduler knows the thread.
inline bool is_fair(const Thread* thread) {
  return thread->index < kFairThreads && !thread->runs_script;
}

// The number of the running thread's step that is a yield by its number, if no other comes before.
// Asked twice for each choice.
inline uint32_t counted_yield() {
  const Run& run = g_run;
  if (!is_fair(run.current)) return wire::kNoStep;
  uint64_t step = uint64_t{run.running_since} + g_region->config.yield_after - 1;
  step -= step < run.current->unyielded ? step : run.current->unyielded;
  return step < wire::kNoStep ? static_cast<uint32_t>(step) : wire::kNoStep;
}

// What the fair scheduler knows of the past, as far as it decides who may go later: as a hash.
uint64_t fair_state();

// Nobody stands behind anybody any more.
void fair_let_all_go();

}  // namespace heddle::runtime

// Filters: what takes from the options of a choice point (decide/choice_point.h). All of them are
// named here, and the scheduler knows no other names.
//
// There are two ways to take:
// - A thread that is held back is not among the options while it is so. Several filters may hold
//   the same thread back: each has a bit of its own.
// - One that is passed over is among them, under its number, and goes if the schedule names it; but
//   by default somebody else goes.
//
//                    what it takes
//   fair.h           holds back whom the fair scheduler puts behind others
//   sleep.h          passes over the threads of a sleep set
//   scenario.h       holds back whom a test script does not let go
#pragma once

#include "runtime/filter/fair.h"
#include "runtime/filter/scenario.h"
#include "runtime/filter/sleep.h"

namespace heddle::runtime {

inline bool is_held_back(const Thread* thread) { return thread->held_by != 0; }
// A test script keeps it from going, whatever its state.
inline bool is_out_of_script(const Thread* thread) {
  return HEDDLE_UNLIKELY(g_scripted) && !scenario_lets_go(thread);
}
// One that sleeps, and could wake spuriously, is not held back, since it cannot go else.
inline bool is_kept_asleep(const Thread* thread) {
  return is_held_back(thread) || is_out_of_script(thread);
}
inline bool is_passed_over(const Thread* thread) { return is_asleep(thread); }
inline bool passes_over_some() { return g_run.asleep != 0; }

// The next step may have to do with a filter: it is none for the fast path.
inline bool filters_are_at_work() {
  return g_run.asleep != 0 || g_run.behind_count != 0 || g_scripted;
}

inline void filters_begin_run() {
  fair_begin_run();
  sleep_begin_run();
  scenario_begin_run();
}

inline void filters_add(Thread* thread) { fair_add(thread); }

// The state of a thread is about to change, by what the running one does.
inline void filters_change(Thread* thread, State to) {
  if (g_fair) fair_change(thread, to);
}

// The running thread has reached its next operation.
inline void filters_arrive() {
  if (HEDDLE_LIKELY(g_fair)) fair_arrive();
  if (HEDDLE_UNLIKELY(g_scripted)) scenario_arrive();
  if (HEDDLE_UNLIKELY(g_run.behind_count != 0)) fair_find_standing_back();
}

// `chosen` goes: its step is about to be recorded, and has been.
inline void filters_before_step(Thread* chosen) {
  if (HEDDLE_UNLIKELY(g_run.asleep != 0)) wake_dependent(chosen);
  if (HEDDLE_UNLIKELY(g_run.behind_count != 0)) chosen->flags |= wire::kRanked;
  if (HEDDLE_UNLIKELY(g_scripted) && scenario_decides(chosen)) {
    chosen->flags |= scenario_flags(chosen);
    g_run.asleep = 0;
  }
}
inline void filters_after_step(Thread* chosen) {
  g_run.gives_way = false;
  if (HEDDLE_LIKELY(g_fair)) fair_go(chosen);
  if (HEDDLE_UNLIKELY(g_scripted)) scenario_go(chosen);
}

// No thread can go. Returns if that is a deadlock; else the execution ends here.
inline void filters_are_stuck() {
  if (g_scripted) scenario_is_stuck();
}

// The thread whose options come first: the running one, or whom a script takes up again.
inline Thread* front_thread() {
  Thread* front = HEDDLE_UNLIKELY(g_scripted) ? scenario_front() : nullptr;
  return front != nullptr ? front : g_run.current;
}

}  // namespace heddle::runtime

// The execution that is being run: its threads, and who can go. Data that every room may look at;
// what changes it is schedule/scheduler.h.
#pragma once

#include <cstdint>

#include "runtime/runtime.h"
#include "runtime/thread.h"
#include "wire/layout.h"
#include "wire/seal.h"

namespace heddle::runtime {

struct Decider;       // decide/decider.h
struct ObjectRecord;  // record/objects.h

// What a step was to the fair scheduler.
enum class Yield : uint8_t {
  none,
  own,         // the program's: a yield, a sleep, a wait with a time limit, a try in vain
  recognised,  // only ours: a spin, see filter/spin.h
  counted,     // only ours: the thread had made --yield-after steps without one
};

inline constexpr uint32_t kReadyWords = (wire::kMaxThreads + 64) / 64;

// The execution that is being run. Everything in here is set anew for each (begin_run). Where in
// a cache line its hot part begins is not left to the order of object files.
struct alignas(64) Run {
  // Hot: read or written at every step.
  Thread* current;
  wire::Step* trace;
  uint32_t step;        // number of the next one
  uint32_t alert_step;  // from this step on settle() decides: a decision, a check, a limit
  uint32_t slow_step;   // from this step on it does so by its long way: see next_slow()
  uint32_t
      counted_step;  // of the running thread; this one is a yield by its number, or a later one
  uint32_t ready_count;
  uint32_t late_count;
  uint32_t open_count;  // living threads whose pending operation is open
  uint32_t held_back;   // threads that could go, but a filter keeps from it: filter/filters.h
  uint64_t asleep;      // bit i: thread i is passed over: see filter/sleep.h
  uint64_t sequence;
  uint64_t fingerprint;
  uint64_t seal;         // of the steps from sealed_from on: wire/seal.h
  ObjectRecord* object;  // that the last step was on, if it was on one

  const Decider* decider;          // is asked where the schedule is silent: decide/decider.h
  const wire::Decision* decision;  // the next one to follow
  const wire::Decision* decision_end;
  wire::Job job;
  Yield yielded;          // the running thread, in its last step
  bool gives_way;         // … which turned out to be one: by default the others go first
  bool set_back;          // somebody has had to stand back
  uint32_t behind_count;  // threads that stand behind others, whether those can go or not
  uint32_t
      running_since;  // the step from which on those of the running thread are not in its count
  bool counted_back;  // somebody has had to stand back for the number of its steps alone
  uint64_t
      outside;  // calls that asked for what is not the program's memory: see record/recurrence.h
  uint32_t preemptions;
  uint32_t living_count;
  uint32_t thread_count;  // created so far
  uint32_t racers;  // the same, but for a script, whose own accesses race with nobody's: 0 then
  uint64_t wait_counter;
  uint32_t option_count;  // thread numbers written to the region's option area
  uint32_t note_count;    // words written to its notes: record/notes.h
  uint32_t depth;         // choice points so far, as far as anybody was asked
  uint32_t sealed_from;   // the first step that the engine wants to see, or one before it
  uint32_t seal_until;    // it may become later as long as the steps are below this
  uint64_t option_seal;
  uint64_t note_seal;
  const uint64_t* hints;  // for the decider: so many as the job says
  bool detail;
  bool wants_options;
  bool stopped;  // a thread is

  Thread* living[wire::kMaxThreads + 1];  // by id
  uint64_t ready[kReadyWords];            // bit i: living[i] is ready
};

extern Run g_run;
extern bool g_fair;                              // fair scheduling is on
extern bool g_count_all;                         // every yield counts: --fair K
extern Thread g_threads[wire::kMaxThreads + 1];  // by index

// The running thread's time.
inline int64_t virtual_now() { return g_run.current->now; }
// The last step: that of the running thread.
inline wire::Step& latest_step() { return g_run.trace[g_run.step - 1]; }

// Something has changed that the next step has to do with: settle() goes its long way.
inline void look_closer() { g_run.alert_step = g_run.slow_step = 0; }

// It turns out now what the last step was: one of wire::kLateFlags, or several.
inline void mark_latest_step(uint32_t flags) {
  wire::Step& step = latest_step();
  g_run.seal += wire::seal_of_late(flags & ~uint32_t{step.flags});
  step.flags = static_cast<uint16_t>(step.flags | flags);
}

// Time passes until `deadline`, if that is not over. Others do not notice before they synchronise
// with the thread.
inline void pass_time_until(int64_t deadline) {
  if (deadline <= virtual_now()) return;
  g_run.current->now = deadline;
  mark_latest_step(wire::kPassesTime);
}

// The running thread is about to see something that other schedules would not show it otherwise.
inline void note_unvaried(wire::Unvaried kind) {
  auto bit = static_cast<uint32_t>(kind);
  ++g_run.outside;
  if (g_run.thread_count < 2 || (g_region->unvaried.load(std::memory_order_relaxed) & bit) != 0) {
    return;
  }
  g_region->unvaried.fetch_or(bit, std::memory_order_relaxed);
}

// The function of heddle::state runs now (record/states.h). What goes wrong in it is the
// execution's, as if it were under control.
extern bool g_in_state;
inline bool in_execution() { return g_active || g_in_state; }

}  // namespace heddle::runtime

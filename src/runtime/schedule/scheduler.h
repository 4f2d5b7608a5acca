// The scheduler: who goes next, and the record of who went.
//
// A thread announces its next operation with reach(), and returns from it when the scheduler has
// let it go; it then performs the operation and runs on. So the state of all modelled objects
// changes only between a return from reach() and the next call of it, and whoever changes an object
// says which threads that sets free or stops: set_state().
//
//   reach(op, object)        an operation that can always proceed
//   announce(…) + settle()   one that may have to wait: the caller sets the state in between
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "base/random.h"
#include "runtime/runtime.h"
#include "runtime/schedule/fingerprint.h"
#include "runtime/schedule/focus.h"
#include "runtime/schedule/thread.h"
#include "wire/layout.h"

namespace heddle::runtime {

// What a step was to the fair scheduler.
enum class Yield : uint8_t {
  none,
  own,         // the program's: a yield, a sleep, a wait with a time limit, a try in vain
  recognised,  // only ours: a spin, see spin.h
  counted,     // only ours: the thread had made --yield-after steps without one
};

inline constexpr uint32_t kReadyWords = (wire::kMaxThreads + 64) / 64;

// The execution that is being run. Everything in here is set anew for each (begin_run).
struct Run {
  // Hot: read or written at every step.
  Thread* current;
  wire::Step* trace;
  uint32_t step;        // number of the next one
  uint32_t alert_step;  // from this step on the slow path decides: a decision, a check, a limit
  uint32_t ready_count;
  uint32_t late_count;
  uint32_t open_count;     // living threads whose pending operation is open
  uint32_t standing_back;  // threads that could go, but stand back behind others: see fair.h
  uint64_t asleep;         // bit i: thread i is passed over: see runtime/schedule/sleep.h
  uint64_t sequence;
  uint64_t fingerprint;
  ObjectRecord* object;  // that the last step was on, if it was on one

  const wire::Decision* decision;  // the next one to follow
  const wire::Decision* decision_end;
  wire::Job job;
  Random random;
  Yield yielded;          // the running thread, in its last step
  bool set_back;          // somebody has had to stand back
  bool gives_way;         // … which turned out to be one: by default the others go first
  uint32_t behind_count;  // threads that stand behind others, whether those can go or not
  uint32_t
      running_since;  // the step from which on those of the running thread are not in its count
  bool counted_back;  // somebody has had to stand back for the number of its steps alone
  uint64_t outside;   // calls that asked for what is not the program's memory: see recurrence.h
  uint32_t preemptions;
  uint32_t living_count;
  uint32_t thread_count;  // created so far
  uint64_t wait_counter;
  uint32_t option_count;  // thread numbers written to the region's option area
  bool detail;
  bool wants_options;

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

// Time passes until `deadline`, if that is not over. Others do not notice before they synchronise
// with the thread.
inline void pass_time_until(int64_t deadline) {
  if (deadline <= virtual_now()) return;
  g_run.current->now = deadline;
  latest_step().flags |= wire::kPassesTime;
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

void begin_run(const wire::Job& job, const wire::Decision* decisions);

// A new thread, with operation `begin` pending; null if there are too many.
Thread* add_thread(Thread* parent);

// The id of a parent's child: the hash of its path.
uint64_t child_id(const Thread* parent, uint32_t ordinal);

// True for a thread that sleeps on a condition or futex until somebody lets it go.
inline bool is_sleeping(const Thread* thread) {
  return wire::has(thread->pending.op, wire::kSleeps) && !thread->signalled;
}

void set_state(Thread* thread, State state);
uint32_t outcomes(const Thread* thread);

// Decides and switches. Returns when the calling thread has been chosen, with its step recorded.
// Never returns for a thread that has ended.
void settle();

// The same for an operation with several outcomes; returns the one that was chosen.
uint32_t settle_open();

// The thread's pending operation has several outcomes from now on, or has them no more.
void set_open(Thread* thread, bool open);

// The outcome of an operation that comes, or fails, for no reason: see --spurious.
inline constexpr uint32_t kSpuriously = 1;

inline void announce(wire::Op op, uint64_t object, uint64_t pc, uint8_t size = 0) {
  Pending& pending = g_run.current->pending;
  pending.op = op;
  pending.size = size;
  pending.yields = Yields::no;
  pending.object = object;
  pending.bytes = size != 0 ? size : 1;
  pending.second = 0;
  pending.copies = false;
  pending.pc = pc;
  pending.can = nullptr;
}

// Whether the value that a compare-exchange expects is there now.
bool finds_expected(const Pending& pending);

// Whether a compare-exchange that is performed now fails, and so only reads. Of memory that may be
// gone it is not known.
inline bool only_reads(const Thread* thread, const ObjectRecord* object) {
  if (HEDDLE_LIKELY(thread->pending.op != wire::Op::atomic_cas)) return false;
  if (thread->outcome == kSpuriously) return true;
  return object->is_readable && !finds_expected(thread->pending);
}

// The second object that a pending operation changes; 0: none. A sleeper keeps its mutex in mind,
// but its time-out does not touch it.
inline uint64_t second_object(const Pending& pending) {
  return pending.op != wire::Op::cond_sleep ? pending.second : 0;
}

// The object was initialised while there were other threads: detect/lifetime.h.
void check_making(const ObjectRecord* object, const Thread* user);

// The step of `thread` goes into the fingerprint, and the names of its objects into the trace.
inline void account(Thread* thread, wire::Step* step) {
  Run& run = g_run;
  const Pending& pending = thread->pending;
  uint64_t what = static_cast<uint64_t>(pending.op) | uint64_t{thread->outcome} << 8;
  char effect = wire::op_effect(pending.op);
  step->object = 0;
  step->size = 0;
  step->second = 0;
  Moment moment{0, thread->now};
  if (effect == '-') {
    moment = {mix(what, thread->last_hash), thread->now + kNanosecondsPerStep};
  } else {
    // Often it is the one that the last step was on.
    ObjectRecord* object = run.object;
    if (!is_of(object, pending.object, pending.bytes)) {
      run.object = object = find_object(pending.object, pending.bytes);
    }
    step->object = object->name;
    set_bytes(step, pending.bytes);
    if (HEDDLE_UNLIKELY(object->maker != 0)) check_making(object, thread);
    if (object->user != thread->index + 1) {
      object->user = object->user == 0 ? thread->index + 1 : kManyUsers;
    }
    if (only_reads(thread, object)) {
      effect = 'r';
      step->flags |= wire::kOnlyReads;
    }
    what ^= object->name << 1;
    moment.hash = mix(what, thread->last_hash);
    moment = account_for(object, effect == 'w', moment);
    if (HEDDLE_UNLIKELY(pending.second != 0) && second_object(pending) != 0) {
      ObjectRecord* second = find_object(pending.second, pending.copies ? pending.bytes : 1);
      if (step->size != wire::kManyBytes) step->second = second->name;
      if (pending.copies) step->flags |= wire::kCopies;
      moment.hash = mix(what, moment.hash);
      moment = account_for(second, !pending.copies, moment);
    }
  }
  thread->last_hash = moment.hash;
  thread->now = moment.now;
  run.fingerprint += moment.hash;
  run.sequence = mix(run.sequence, moment.hash);
}

// The step of `thread` goes into the trace.
inline void record(Thread* thread, uint32_t choice, uint32_t options, uint32_t free_options,
                   uint32_t own = 1) {
  Run& run = g_run;
  const Pending& pending = thread->pending;
  wire::Step& step = run.trace[run.step];
  step.thread = static_cast<uint16_t>(thread->index);
  step.op = pending.op;
  step.outcome = static_cast<uint8_t>(thread->outcome);
  step.choice = static_cast<uint16_t>(choice);
  step.options = static_cast<uint16_t>(options);
  step.free_options = static_cast<uint16_t>(free_options);
  step.outcomes = static_cast<uint16_t>(own);
  step.flags = static_cast<uint16_t>(focus_flags(thread) | thread->flags);
  thread->flags = 0;
  step.check = static_cast<uint32_t>(run.sequence);
  step.after = thread->after;
  thread->after = wire::kNoStep;
  step.pc = pending.pc;
  account(thread, &step);
  ++run.step;
  g_region->current_step.store(run.step, std::memory_order_relaxed);
}

// The announced operation can proceed: performs it, unless another thread is to go first.
inline void go_on() {
  Run& run = g_run;
  if (HEDDLE_LIKELY(run.step < run.alert_step && run.open_count == 0)) {
    record(run.current, 0, run.ready_count + run.late_count, 1);
    return;
  }
  settle();
}

// Whether an operation may turn out to have written nothing: see spin.h.
constexpr bool is_read(wire::Op op) { return wire::has(op, wire::kMayOnlyRead); }

inline void reach(wire::Op op, uint64_t object, uint64_t pc, uint8_t size = 0) {
  announce(op, object, pc, size);
  if (!is_read(op)) g_run.current->spin.patience = 0;
  go_on();
}

// An operation on more bytes than one has to show. `from`: these are read as well, as many; 0:
// none.
inline void reach_range(wire::Op op, uint64_t object, uint64_t bytes, uint64_t pc,
                        uint64_t from = 0) {
  announce(op, object, pc);
  g_run.current->pending.bytes = bytes;
  g_run.current->pending.second = from;
  g_run.current->pending.copies = from != 0;
  if (!is_read(op)) g_run.current->spin.patience = 0;
  go_on();
}

// An operation that is tried, and may be in vain: the caller then says note_yield().
inline void reach_try(wire::Op op, uint64_t object, uint64_t pc, uint64_t second = 0) {
  announce(op, object, pc);
  g_run.current->pending.second = second;
  g_run.current->pending.yields = Yields::perhaps;
  if (g_fair) g_run.current->flags |= wire::kMayYield;
  g_run.current->spin.patience = 0;
  go_on();
}

// Calls `visit` for each living thread, by id, whose pending operation is on `object`.
template <typename Visit>
void for_each_pending_on(uint64_t object, Visit visit) {
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    Thread* thread = g_run.living[i];
    if (thread->pending.object == object && thread != g_run.current) visit(thread);
  }
}

}  // namespace heddle::runtime

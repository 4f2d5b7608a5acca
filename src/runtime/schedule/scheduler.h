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

#include "runtime/decide/choice_point.h"
#include "runtime/record/retry.h"
#include "runtime/record/trace.h"
#include "runtime/run.h"

namespace heddle::runtime {

void begin_run(const wire::Job& job, const wire::Decision* decisions);

// A new thread, with operation `begin` pending; null if there are too many.
Thread* add_thread(Thread* parent);

// The order in which the living are kept: by their paths.
bool path_before(const Thread* a, const Thread* b);

// The id of a parent's child: the hash of its path.
uint64_t child_id(const Thread* parent, uint32_t ordinal);

void set_state(Thread* thread, State state);

// The running thread has announced its next operation, and never performs it: record/retry.h.
[[noreturn]] void stop();

// Decides and switches. Returns when the calling thread has been chosen, with its step recorded.
// Never returns for a thread that has ended.
void settle();

// The same for an operation with several outcomes; returns the one that was chosen.
uint32_t settle_open();

// The thread's pending operation has several outcomes from now on, or has them no more.
void set_open(Thread* thread, bool open);

// Asked of sync/ when no thread can go on: those who wait look again, since something that is not
// under control may have reached their descriptors. For a descriptor from elsewhere this waits, in
// the kernel. False: it is a deadlock.
bool look_again_at_descriptors();

// Of a round of a retry loop: record/retry.h.
constexpr bool is_of_round(wire::Op op) {
  return op == wire::Op::atomic_load || op == wire::Op::atomic_cas;
}

// Whether who learns by such an operation what another thread has done, by the values that it finds
// or because it can go on, comes after that in the order of happens-before. Of atomics the hooks
// know, by their memory orders.
constexpr bool orders(wire::Op op) {
  switch (op) {
    case wire::Op::begin:
    case wire::Op::end:
    case wire::Op::create:
    case wire::Op::join:
    case wire::Op::exit:
    case wire::Op::lock:
    case wire::Op::unlock:
    case wire::Op::cond_wait:
    case wire::Op::cond_relock:
    case wire::Op::sem_wait:
    case wire::Op::sem_post:
    case wire::Op::yield:
    case wire::Op::sleep:
    case wire::Op::atomic_load:
    case wire::Op::atomic_store:
    case wire::Op::atomic_rmw:
    case wire::Op::atomic_cas:
      return true;
    default:
      return false;
  }
}

inline void announce(wire::Op op, uint64_t object, uint64_t pc, uint8_t size = 0) {
  if (HEDDLE_UNLIKELY(g_last_retries)) {
    if (!is_of_round(op)) retry_interrupted();
    if (!orders(op)) retry_tells();
  }
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

// The announced operation can proceed: performs it, unless another thread is to go first.
inline void go_on() {
  Run& run = g_run;
  if (HEDDLE_LIKELY(run.step < run.alert_step)) {
    uint32_t options = run.ready_count + run.late_count;
    if (HEDDLE_UNLIKELY(run.open_count != 0)) options += count_further_outcomes();
    record(run.current, 0, options, 1);
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

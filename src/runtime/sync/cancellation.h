// Deferred cancellation: a thread that somebody has asked to end (pthread_cancel) does so at its
// next cancellation point, or at once if it waits at one.
//
// A function that POSIX has as a cancellation point calls cancellation_point() first. If it may
// have to wait it then settles with settle_at_cancellation_point(). A request that comes meanwhile
// makes the thread ready: its pending operation is no more the wait but the end of it. Where the
// wait could have gone on as well, POSIX leaves open which of the two happens; here the request
// wins, as with glibc.
//
// Whether a request is there is looked at without an operation, except by pthread_testcancel: a
// cancellation point depends on pthread_cancel of its thread, though their objects differ.
#pragma once

#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

// It is to end at its next cancellation point.
inline bool is_cancelled(const Thread* thread) {
  return HEDDLE_UNLIKELY(thread->cancel_requested) && !thread->cancel_disabled && !thread->leaving;
}

// intercept/threads.cc: the running thread ends, with clean-up handlers and destructors.
[[noreturn]] void act_on_cancellation();

inline void cancellation_point(uint64_t pc) {
  Thread* self = g_run.current;
  if (!is_cancelled(self)) return;
  reach(wire::Op::cancelled, self->id, pc);
  act_on_cancellation();
}

inline void settle_at_cancellation_point() {
  Thread* self = g_run.current;
  self->cancellable = true;
  settle();
  self->cancellable = false;
  if (HEDDLE_UNLIKELY(self->interrupted)) act_on_cancellation();
}

}  // namespace heddle::runtime

// Condition variables. A wait is two steps: let go of the mutex and sleep; later, take the mutex
// again. A wait with a time limit may have a third between them: its time is over, before it stands
// for the mutex, so that a signal that comes in between goes to somebody else or nowhere.
#include "runtime/intercept/condition.h"

#include <errno.h>

#include "runtime/detect/heap.h"
#include "runtime/detect/misuse.h"
#include "runtime/intercept/time.h"
#include "runtime/real.h"
#include "runtime/sync/mutex.h"

namespace heddle::runtime {

using wire::Op;

namespace {

// In __wrefs: where glibc's pthread_cond_init keeps the clock, and what its pthread_cond_destroy
// leaves behind.
constexpr unsigned kMonotonicBit = 2;
constexpr unsigned kDestroyedBit = 4;

uint64_t object_of(const pthread_cond_t* condition) {
  return reinterpret_cast<uint64_t>(condition);
}

void check_alive(const pthread_cond_t* condition, uint64_t pc) {
  check_object(object_of(condition), sizeof *condition, pc);
  if (HEDDLE_UNLIKELY((condition->__data.__wrefs & kDestroyedBit) != 0))
    end_with_use_of_destroyed("condition", object_of(condition), pc);
}

// All who wait on a condition at a time do so with the same mutex.
void check_mutex(const pthread_cond_t* condition, const Mutex& mutex, uint64_t pc) {
  Thread* sleeper = nth_sleeper(object_of(condition), 0);
  if (sleeper == nullptr || sleeper->pending.second == mutex.object()) return;
  end_with_misuse(object_of(condition), pc,
                  "waits on condition " HEDDLE_OBJECT
                  " with another mutex than %s, which waits too",
                  ThreadName(sleeper).text);
}

// A sleeper stands for its mutex from now on.
void stand_for_mutex(Thread* thread) {
  Pending& pending = thread->pending;
  pending.op = Op::cond_relock;
  pending.object = pending.second;
  pending.second = 0;
  pending.can = Mutex::can_lock;
  pending.deadline = kForever;
  pending.bytes = 1;
  if (!is_freed(pending.object)) {
    Mutex(reinterpret_cast<pthread_mutex_t*>(pending.object)).expect();
  }
  refresh_thread(thread);
}

int wait(pthread_cond_t* condition, pthread_mutex_t* handle, int64_t deadline, uint64_t pc) {
  Mutex mutex(handle);
  Thread* self = g_run.current;
  if (!mutex.held_by(self)) {
    check_alive(mutex, pc);
    if (mutex.tells_owner()) return EPERM;
    end_with_misuse(object_of(condition), pc,
                    "waits on condition " HEDDLE_OBJECT " with a mutex that it does not hold");
  }
  cancellation_point(pc);
  announce(Op::cond_wait, object_of(condition), pc);
  self->pending.second = mutex.object();
  settle();
  check_alive(condition, pc);
  check_alive(mutex, pc);
  check_mutex(condition, mutex, pc);
  if (is_cancelled(self)) act_on_cancellation();  // the request came before it slept
  uint32_t nesting = handle->__data.__count;
  mutex.release();
  // Whoever wakes this thread makes it stand for the mutex; if nobody does, it does so itself.
  self->cancellable = true;
  bool in_time = sleep_until_woken(Op::cond_sleep, deadline);
  self->cancellable = false;
  if (!self->signalled) {
    stand_for_mutex(self);
    self->pending.yields = Yields::no;  // the sleep was one
    settle();
  }
  check_alive(mutex, pc);
  int error = mutex.take(self);
  handle->__data.__count = nesting;
  if (self->interrupted) act_on_cancellation();
  if (error != 0) return error;
  return in_time ? 0 : ETIMEDOUT;
}

}  // namespace

void wake_from_condition(Thread* sleeper) {
  let_go(sleeper);
  stand_for_mutex(sleeper);
}

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_cond_init(pthread_cond_t* condition,
                                    const pthread_condattr_t* attributes) noexcept {
  if (g_active) note_making(object_of(condition), HEDDLE_CALLER);
  return HEDDLE_REAL(pthread_cond_init)(condition, attributes);
}

HEDDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_cond_destroy)(condition);
  auto object = reinterpret_cast<uint64_t>(condition);
  reach(wire::Op::destroy, object, HEDDLE_CALLER);
  check_alive(condition, HEDDLE_CALLER);
  // Those who have been woken and stand for their mutex need it no more.
  if (const Thread* sleeper = nth_sleeper(object, 0)) {
    end_with_misuse(object, HEDDLE_CALLER,
                    "destroys condition " HEDDLE_OBJECT ", on which %s waits",
                    ThreadName(sleeper).text);
  }
  condition->__data.__wrefs |= kDestroyedBit;
  return 0;
}

HEDDLE_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (!g_active) return HEDDLE_REAL(pthread_cond_wait)(condition, mutex);
  return wait(condition, mutex, kForever, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                         const timespec* limit) {
  if (!g_active) return HEDDLE_REAL(pthread_cond_timedwait)(condition, mutex, limit);
  if (!is_valid(limit)) return EINVAL;
  bool monotonic = (condition->__data.__wrefs & kMonotonicBit) != 0;
  return wait(condition, mutex, deadline_of(monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, limit),
              HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                         clockid_t clock, const timespec* limit) {
  if (!g_active) return HEDDLE_REAL(pthread_cond_clockwait)(condition, mutex, clock, limit);
  if (!is_valid(limit) || !can_wait_by(clock)) return EINVAL;
  return wait(condition, mutex, deadline_of(clock, limit), HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_cond_signal)(condition);
  auto object = reinterpret_cast<uint64_t>(condition);
  // Which of the sleepers wakes is open, and a decision of the schedule.
  announce(wire::Op::cond_signal, object, HEDDLE_CALLER);
  uint32_t chosen = settle_open();
  check_alive(condition, HEDDLE_CALLER);
  if (Thread* sleeper = nth_sleeper(object, chosen)) wake_from_condition(sleeper);
  return 0;
}

HEDDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_cond_broadcast)(condition);
  auto object = reinterpret_cast<uint64_t>(condition);
  reach(wire::Op::cond_broadcast, object, HEDDLE_CALLER);
  check_alive(condition, HEDDLE_CALLER);
  while (Thread* sleeper = nth_sleeper(object, 0)) wake_from_condition(sleeper);
  return 0;
}

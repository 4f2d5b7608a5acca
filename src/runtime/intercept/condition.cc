// Condition variables. A wait is two steps: let go of the mutex and sleep; later, take the mutex again. A wait with a
// time limit may have a third between them: its time is over, before it stands for the mutex, so that a signal that comes in between
// goes to somebody else or nowhere.
#include <errno.h>

#include "runtime/intercept/time.h"
#include "runtime/real.h"
#include "runtime/sync/mutex.h"

namespace heddle::runtime {

using wire::Op;

namespace {

constexpr unsigned kMonotonicBit = 2;  // in __wrefs, where glibc's pthread_cond_init keeps the clock

// A sleeper stands for its mutex from now on.
void stand_for_mutex(Thread* thread) {
  Pending& pending = thread->pending;
  pending.op = Op::cond_relock;
  pending.object = pending.second;
  pending.second = 0;
  pending.deadline = kForever;
  Mutex(reinterpret_cast<pthread_mutex_t*>(pending.object)).expect(thread);
}

void wake(Thread* sleeper) {
  sleeper->signalled = true;
  sleeper->last_hash = mix(sleeper->last_hash, g_run.current->last_hash);
  stand_for_mutex(sleeper);
}

int wait(pthread_cond_t* condition, pthread_mutex_t* handle, int64_t deadline, uint64_t pc) {
  Mutex mutex(handle);
  Thread* self = g_run.current;
  if (mutex.type() != Mutex::Type::normal && !mutex.held_by(self)) return EPERM;
  announce(Op::cond_wait, reinterpret_cast<uint64_t>(condition), pc);
  self->pending.second = mutex.object();
  settle();
  uint32_t nesting = static_cast<uint32_t>(handle->__data.__count);
  mutex.release();

  self->pending.op = Op::cond_sleep;
  self->pending.deadline = deadline;
  self->signalled = false;
  self->wait_number = ++g_run.wait_counter;
  set_state(self, waiting_state(self));
  settle();
  bool in_time = self->signalled;
  if (!in_time) {
    pass_time_until(deadline);
    stand_for_mutex(self);
    settle();
  }
  mutex.take(self);
  handle->__data.__count = nesting;
  return in_time ? 0 : ETIMEDOUT;
}

bool sleeps_on(const Thread* thread, uint64_t condition) {
  return thread->pending.object == condition && is_sleeping(thread);
}

// The sleeper number n in the order of arrival; null if there are not so many.
Thread* nth_sleeper(uint64_t condition, uint32_t n) {
  uint64_t after = 0;
  for (;; --n) {
    Thread* first = nullptr;
    for (uint32_t i = 0; i < g_run.living_count; ++i) {
      Thread* thread = g_run.living[i];
      if (!sleeps_on(thread, condition) || thread->wait_number <= after) continue;
      if (first == nullptr || thread->wait_number < first->wait_number) first = thread;
    }
    if (n == 0 || first == nullptr) return first;
    after = first->wait_number;
  }
}

}  // namespace

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) noexcept {
  return HEDDLE_REAL(pthread_cond_init)(condition, attributes);
}

HEDDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_cond_destroy)(condition);
  return 0;
}

HEDDLE_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (!g_active) return HEDDLE_REAL(pthread_cond_wait)(condition, mutex);
  return wait(condition, mutex, kForever, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* limit) {
  if (!g_active) return HEDDLE_REAL(pthread_cond_timedwait)(condition, mutex, limit);
  if (!is_valid(limit)) return EINVAL;
  bool monotonic = (condition->__data.__wrefs & kMonotonicBit) != 0;
  return wait(condition, mutex, deadline_of(monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, limit), HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                         const timespec* limit) {
  if (!g_active) return HEDDLE_REAL(pthread_cond_clockwait)(condition, mutex, clock, limit);
  if (!is_valid(limit) || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)) return EINVAL;
  return wait(condition, mutex, deadline_of(clock, limit), HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_cond_signal)(condition);
  auto object = reinterpret_cast<uint64_t>(condition);
  Thread* self = g_run.current;
  // Which of the sleepers wakes is open, and a decision of the schedule.
  announce(wire::Op::cond_signal, object, HEDDLE_CALLER);
  self->pending.open = true;
  ++g_run.open_count;
  settle();
  self->pending.open = false;
  --g_run.open_count;
  if (Thread* sleeper = nth_sleeper(object, self->outcome)) wake(sleeper);
  return 0;
}

HEDDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_cond_broadcast)(condition);
  auto object = reinterpret_cast<uint64_t>(condition);
  reach(wire::Op::cond_broadcast, object, HEDDLE_CALLER);
  while (Thread* sleeper = nth_sleeper(object, 0)) wake(sleeper);
  return 0;
}

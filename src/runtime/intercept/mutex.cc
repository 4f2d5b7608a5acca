// Mutexes: normal, recursive, error-checking; lock, try, timed and clock variants.
#include "runtime/sync/mutex.h"

#include <errno.h>

#include "runtime/detect/ending.h"
#include "runtime/intercept/time.h"
#include "runtime/isolate/modules.h"
#include "runtime/real.h"

namespace heddle::runtime {

using wire::Op;

namespace {

void check_supported(const Mutex& mutex, uint64_t pc) {
  if (mutex.is_robust()) end_unsupported("a robust mutex (PTHREAD_MUTEX_ROBUST)", pc);
}

int lock(pthread_mutex_t* handle, Op op, int64_t deadline, uint64_t pc) {
  Mutex mutex(handle);
  check_supported(mutex, pc);
  Thread* self = g_run.current;
  if (mutex.held_by(self)) {
    if (mutex.type() == Mutex::Type::recursive) return mutex.lock_again() ? 0 : EAGAIN;
    if (mutex.type() == Mutex::Type::error_checking) return EDEADLK;
  }
  mutex.expect();
  if (!wait_until_permitted(op, mutex.object(), Mutex::can_lock, deadline, pc)) {
    mutex.give_up();
    return ETIMEDOUT;
  }
  mutex.take(self);
  return 0;
}

int timed_lock(pthread_mutex_t* mutex, clockid_t clock, const timespec* limit, uint64_t pc) {
  if (!is_valid(limit)) return EINVAL;
  return lock(mutex, Op::timedlock, deadline_of(clock, limit), pc);
}

}  // namespace

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex,
                                     const pthread_mutexattr_t* attributes) noexcept {
  return HEDDLE_REAL(pthread_mutex_init)(mutex, attributes);
}

HEDDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  if (g_active && !Mutex(mutex).is_free()) return EBUSY;
  return HEDDLE_REAL(pthread_mutex_destroy)(mutex);
}

HEDDLE_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (!g_active || in_unwinder(HEDDLE_CALLER)) return HEDDLE_REAL(pthread_mutex_lock)(mutex);
  return lock(mutex, wire::Op::lock, kForever, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* limit) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_mutex_timedlock)(mutex, limit);
  return timed_lock(mutex, CLOCK_REALTIME, limit, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                          const timespec* limit) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_mutex_clocklock)(mutex, clock, limit);
  return timed_lock(mutex, clock, limit, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* handle) noexcept {
  if (!g_active || in_unwinder(HEDDLE_CALLER)) return HEDDLE_REAL(pthread_mutex_trylock)(handle);
  Mutex mutex(handle);
  check_supported(mutex, HEDDLE_CALLER);
  Thread* self = g_run.current;
  if (mutex.held_by(self)) {
    return mutex.type() == Mutex::Type::recursive && mutex.lock_again() ? 0 : EBUSY;
  }
  reach(wire::Op::trylock, mutex.object(), HEDDLE_CALLER);
  if (!mutex.is_free()) return EBUSY;
  mutex.expect();
  mutex.take(self);
  return 0;
}

HEDDLE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* handle) noexcept {
  if (!g_active || in_unwinder(HEDDLE_CALLER)) return HEDDLE_REAL(pthread_mutex_unlock)(handle);
  Mutex mutex(handle);
  check_supported(mutex, HEDDLE_CALLER);
  if (mutex.type() != Mutex::Type::normal) {
    if (!mutex.held_by(g_run.current)) return EPERM;
    if (!mutex.unlock_once()) return 0;
  }
  reach(wire::Op::unlock, mutex.object(), HEDDLE_CALLER);
  mutex.release();
  return 0;
}

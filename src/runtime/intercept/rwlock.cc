// Reader-writer locks.
#include "runtime/sync/rwlock.h"

#include <errno.h>

#include "runtime/intercept/time.h"
#include "runtime/real.h"

namespace heddle::runtime {

using wire::Op;

namespace {

int lock_for_reading(pthread_rwlock_t* handle, int64_t deadline, uint64_t pc) {
  RwLock lock(handle);
  if (lock.written_by(g_run.current)) return EDEADLK;
  if (!wait_until_permitted(Op::rdlock, lock.object(), RwLock::can_read, deadline, pc))
    return ETIMEDOUT;
  lock.take_for_reading();
  return 0;
}

int lock_for_writing(pthread_rwlock_t* handle, int64_t deadline, uint64_t pc) {
  RwLock lock(handle);
  if (lock.written_by(g_run.current)) return EDEADLK;
  if (!wait_until_permitted(Op::wrlock, lock.object(), RwLock::can_write, deadline, pc))
    return ETIMEDOUT;
  lock.take_for_writing(g_run.current);
  return 0;
}

}  // namespace

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_rdlock)(lock);
  return lock_for_reading(lock, kForever, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock,
                                             const timespec* limit) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_timedrdlock)(lock, limit);
  if (!is_valid(limit)) return EINVAL;
  return lock_for_reading(lock, deadline_of(CLOCK_REALTIME, limit), HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                             const timespec* limit) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_clockrdlock)(lock, clock, limit);
  if (!is_valid(limit)) return EINVAL;
  return lock_for_reading(lock, deadline_of(clock, limit), HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* handle) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_tryrdlock)(handle);
  RwLock lock(handle);
  reach(wire::Op::rdlock, lock.object(), HEDDLE_CALLER);
  if (!RwLock::can_read(lock.object())) return EBUSY;
  lock.take_for_reading();
  return 0;
}

HEDDLE_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_wrlock)(lock);
  return lock_for_writing(lock, kForever, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock,
                                             const timespec* limit) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_timedwrlock)(lock, limit);
  if (!is_valid(limit)) return EINVAL;
  return lock_for_writing(lock, deadline_of(CLOCK_REALTIME, limit), HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                             const timespec* limit) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_clockwrlock)(lock, clock, limit);
  if (!is_valid(limit)) return EINVAL;
  return lock_for_writing(lock, deadline_of(clock, limit), HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* handle) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_trywrlock)(handle);
  RwLock lock(handle);
  reach(wire::Op::wrlock, lock.object(), HEDDLE_CALLER);
  if (!lock.is_free()) return EBUSY;
  lock.take_for_writing(g_run.current);
  return 0;
}

HEDDLE_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* handle) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_unlock)(handle);
  RwLock lock(handle);
  reach(wire::Op::rwunlock, lock.object(), HEDDLE_CALLER);
  lock.release();
  return 0;
}

HEDDLE_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* handle) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_destroy)(handle);
  return 0;
}

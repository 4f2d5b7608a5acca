// Reader-writer locks.
#include "runtime/sync/rwlock.h"

#include <errno.h>

#include "runtime/before.h"
#include "runtime/detect/heap.h"
#include "runtime/detect/misuse.h"
#include "runtime/intercept/time.h"
#include "runtime/real.h"

namespace heddle::runtime {

using wire::Op;

namespace {

void check_alive(const RwLock& lock, uint64_t pc) {
  check_object(lock.object(), sizeof(pthread_rwlock_t), pc);
  if (HEDDLE_UNLIKELY(lock.is_destroyed()))
    end_with_use_of_destroyed("reader-writer lock", lock.object(), pc);
}

int lock_for_reading(pthread_rwlock_t* handle, int64_t deadline, uint64_t pc) {
  RwLock lock(handle);
  if (lock.written_by(g_run.current)) return EDEADLK;
  if (lock.is_full()) return EAGAIN;
  if (!wait_until_permitted(Op::rdlock, lock.object(), RwLock::can_read, deadline, pc))
    return ETIMEDOUT;
  check_alive(lock, pc);
  lock.take_for_reading(g_run.current);
  return 0;
}

// Who waits for a lock that prefers writers holds new readers back; who is only about to come does
// not. So there coming is a step of its own.
bool wait_to_write(RwLock& lock, int64_t deadline, uint64_t pc) {
  bool holds_back = lock.prefers_writers();
  if (holds_back) {
    reach(Op::wrlock, lock.object(), pc);
    check_alive(lock, pc);
    if (lock.is_free()) return true;
    lock.begin_to_wait();
  }
  bool permitted = wait_until_permitted(Op::wrlock, lock.object(), RwLock::can_write, deadline, pc);
  check_alive(lock, pc);
  if (holds_back) lock.wait_no_more();
  return permitted;
}

int lock_for_writing(pthread_rwlock_t* handle, int64_t deadline, uint64_t pc) {
  RwLock lock(handle);
  if (lock.written_by(g_run.current)) return EDEADLK;
  // One with a time limit waits for it, in vain but not for ever.
  if (deadline == kForever && lock.is_read_by(g_run.current)) {
    end_with_misuse(lock.object(), pc,
                    "locks reader-writer lock " HEDDLE_OBJECT
                    " for writing, which it holds for reading: it would wait for itself");
  }
  if (!wait_to_write(lock, deadline, pc)) return ETIMEDOUT;
  lock.take_for_writing(g_run.current);
  return 0;
}

int timed(int (*lock)(pthread_rwlock_t*, int64_t, uint64_t), pthread_rwlock_t* handle,
          clockid_t clock, const timespec* limit, uint64_t pc) {
  if (!is_valid(limit) || !can_wait_by(clock)) return EINVAL;
  return lock(handle, deadline_of(clock, limit), pc);
}

// A thread holds the lock for reading, or may: see Thread::other_reads.
bool may_read(const RwLock& lock, const Thread* thread) {
  return lock.is_read_by(thread) || (lock.has_readers() && thread->other_reads != 0);
}

[[noreturn]] void unlock_of_others(const RwLock& lock, uint64_t pc) {
  if (lock.writer() != kFree) {
    end_with_misuse(lock.object(), pc,
                    "unlocks reader-writer lock " HEDDLE_OBJECT ", which %s holds for writing",
                    ThreadName(index_of(lock.writer())).text);
  }
  if (lock.has_readers()) {
    end_with_misuse(lock.object(), pc,
                    "unlocks reader-writer lock " HEDDLE_OBJECT
                    ", which others hold for reading, but it does not");
  }
  end_with_misuse(lock.object(), pc,
                  "unlocks reader-writer lock " HEDDLE_OBJECT ", which is not locked");
}

int destroy(pthread_rwlock_t* handle, uint64_t pc) {
  RwLock lock(handle);
  reach(wire::Op::destroy, lock.object(), pc);
  check_alive(lock, pc);
  if (lock.writer() != kFree) {
    end_with_misuse(lock.object(), pc,
                    "destroys reader-writer lock " HEDDLE_OBJECT ", which %s holds for writing",
                    ThreadName(index_of(lock.writer())).text);
  }
  if (lock.has_readers()) {
    end_with_misuse(lock.object(), pc,
                    "destroys reader-writer lock " HEDDLE_OBJECT ", which is locked for reading");
  }
  lock.destroy();
  return 0;
}

}  // namespace

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_LOOK(heddle_initialises) { note_making(call.arguments[0], call.pc); }

HEDDLE_BEFORE(pthread_rwlock_init, heddle_initialises)
HEDDLE_BEFORE(pthread_barrier_init, heddle_initialises)
HEDDLE_BEFORE(pthread_spin_init, heddle_initialises)

HEDDLE_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_rdlock)(lock);
  return lock_for_reading(lock, kForever, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock,
                                             const timespec* limit) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_timedrdlock)(lock, limit);
  return timed(lock_for_reading, lock, CLOCK_REALTIME, limit, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                             const timespec* limit) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_clockrdlock)(lock, clock, limit);
  return timed(lock_for_reading, lock, clock, limit, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* handle) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_tryrdlock)(handle);
  RwLock lock(handle);
  reach_try(wire::Op::rdlock, lock.object(), HEDDLE_CALLER);
  check_alive(lock, HEDDLE_CALLER);
  if (!RwLock::can_read(lock.object())) return in_vain();
  if (lock.is_full()) return EAGAIN;
  lock.take_for_reading(g_run.current);
  return 0;
}

HEDDLE_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_wrlock)(lock);
  return lock_for_writing(lock, kForever, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock,
                                             const timespec* limit) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_timedwrlock)(lock, limit);
  return timed(lock_for_writing, lock, CLOCK_REALTIME, limit, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                             const timespec* limit) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_clockwrlock)(lock, clock, limit);
  return timed(lock_for_writing, lock, clock, limit, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* handle) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_trywrlock)(handle);
  RwLock lock(handle);
  reach_try(wire::Op::wrlock, lock.object(), HEDDLE_CALLER);
  check_alive(lock, HEDDLE_CALLER);
  if (!lock.is_free()) return in_vain();
  lock.take_for_writing(g_run.current);
  return 0;
}

HEDDLE_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* handle) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_unlock)(handle);
  RwLock lock(handle);
  Thread* self = g_run.current;
  if (!lock.written_by(self) && !may_read(lock, self)) {
    check_alive(lock, HEDDLE_CALLER);
    unlock_of_others(lock, HEDDLE_CALLER);
  }
  reach(wire::Op::rwunlock, lock.object(), HEDDLE_CALLER);
  check_alive(lock, HEDDLE_CALLER);
  lock.release(self);
  return 0;
}

HEDDLE_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* handle) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_rwlock_destroy)(handle);
  return destroy(handle, HEDDLE_CALLER);
}

// Mutexes: normal, recursive, error-checking, robust; lock, try, timed and clock variants.
#include "runtime/sync/mutex.h"

#include <errno.h>

#include "runtime/detect/heap.h"
#include "runtime/detect/misuse.h"
#include "runtime/intercept/time.h"
#include "runtime/isolate/modules.h"
#include "runtime/real.h"

namespace heddle::runtime {

using wire::Op;

namespace {

int lock(pthread_mutex_t* handle, Op op, int64_t deadline, uint64_t pc) {
  Mutex mutex(handle);
  Thread* self = g_run.current;
  if (mutex.held_by(self)) {
    check_alive(mutex, pc);
    if (mutex.type() == Mutex::Type::recursive) return mutex.lock_again() ? 0 : EAGAIN;
    if (mutex.type() == Mutex::Type::error_checking) return EDEADLK;
    // One with a time limit waits for it, in vain but not for ever.
    if (deadline == kForever) {
      end_with_misuse(mutex.object(), pc,
                      "locks mutex " HEDDLE_OBJECT
                      ", which it holds already: it would wait for itself");
    }
  }
  if (!is_freed(mutex.object())) mutex.expect();
  if (!wait_until_permitted(op, mutex.object(), Mutex::can_lock, deadline, pc)) {
    mutex.give_up();
    return ETIMEDOUT;
  }
  check_alive(mutex, pc);
  return mutex.take(self);
}

// As glibc: the time is looked at only if the mutex cannot be had at once.
int timed_lock(pthread_mutex_t* mutex, clockid_t clock, const timespec* limit, uint64_t pc) {
  if (!can_wait_by(clock)) return EINVAL;
  if (is_valid(limit)) return lock(mutex, Op::timedlock, deadline_of(clock, limit), pc);
  int error = lock(mutex, Op::timedlock, virtual_now(), pc);
  return error == ETIMEDOUT ? EINVAL : error;
}

[[noreturn]] void unlock_of_others(const Mutex& mutex, uint64_t pc) {
  if (mutex.is_free()) {
    end_with_misuse(mutex.object(), pc, "unlocks mutex " HEDDLE_OBJECT ", which is not locked");
  }
  end_with_misuse(mutex.object(), pc, "unlocks mutex " HEDDLE_OBJECT ", which %s holds",
                  ThreadName(index_of(mutex.holder())).text);
}

// A thread that is in a wait on a condition with this mutex; null if there is none.
const Thread* waiter_with(const Mutex& mutex) {
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    const Pending& pending = g_run.living[i]->pending;
    bool sleeps = pending.op == Op::cond_sleep && pending.second == mutex.object();
    bool returns = pending.op == Op::cond_relock && pending.object == mutex.object();
    if (sleeps || returns) return g_run.living[i];
  }
  return nullptr;
}

int destroy(pthread_mutex_t* handle, uint64_t pc) {
  Mutex mutex(handle);
  reach(wire::Op::destroy, mutex.object(), pc);
  check_alive(mutex, pc);
  const Thread* waiter = waiter_with(mutex);
  if (!mutex.is_free() || waiter != nullptr) {
    if (mutex.type() == Mutex::Type::error_checking) return EBUSY;
    if (mutex.is_free()) {
      end_with_misuse(mutex.object(), pc,
                      "destroys mutex " HEDDLE_OBJECT ", with which %s waits on a condition",
                      ThreadName(waiter).text);
    }
    end_with_misuse(mutex.object(), pc, "destroys mutex " HEDDLE_OBJECT ", which %s holds",
                    ThreadName(index_of(mutex.holder())).text);
  }
  mutex.destroy();
  return 0;
}

}  // namespace

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex,
                                     const pthread_mutexattr_t* attributes) noexcept {
  if (g_active) note_making(reinterpret_cast<uint64_t>(mutex), HEDDLE_CALLER);
  return HEDDLE_REAL(pthread_mutex_init)(mutex, attributes);
}

HEDDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_mutex_destroy)(mutex);
  return destroy(mutex, HEDDLE_CALLER);
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
  Thread* self = g_run.current;
  if (mutex.held_by(self)) {
    check_alive(mutex, HEDDLE_CALLER);
    if (mutex.type() != Mutex::Type::recursive) return EBUSY;
    return mutex.lock_again() ? 0 : EAGAIN;
  }
  reach_try(wire::Op::trylock, mutex.object(), HEDDLE_CALLER);
  check_alive(mutex, HEDDLE_CALLER);
  if (!mutex.is_free()) return in_vain();
  mutex.expect();
  return mutex.take(self);
}

HEDDLE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* handle) noexcept {
  if (!g_active || in_unwinder(HEDDLE_CALLER)) return HEDDLE_REAL(pthread_mutex_unlock)(handle);
  Mutex mutex(handle);
  if (!mutex.held_by(g_run.current)) {
    check_alive(mutex, HEDDLE_CALLER);
    if (mutex.tells_owner()) return EPERM;
    unlock_of_others(mutex, HEDDLE_CALLER);
  }
  if (!mutex.unlock_once()) return 0;
  reach(wire::Op::unlock, mutex.object(), HEDDLE_CALLER);
  check_alive(mutex, HEDDLE_CALLER);
  mutex.release();
  return 0;
}

HEDDLE_EXPORT int pthread_mutex_consistent(pthread_mutex_t* handle) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_mutex_consistent)(handle);
  Mutex mutex(handle);
  check_alive(mutex, HEDDLE_CALLER);
  bool is_mine = mutex.is_robust() && mutex.held_by(g_run.current);
  if (!is_mine || !mutex.is_inconsistent()) return EINVAL;
  mutex.make_consistent();
  return 0;
}

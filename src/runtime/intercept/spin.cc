// Spin locks: a thread that would spin waits instead.
#include <errno.h>
#include <pthread.h>

#include "runtime/real.h"
#include "runtime/sync/waiting.h"

namespace heddle::runtime {

namespace {

// As glibc on x86: 1 is free. Held, it is who, negated, so that neither can be taken for the other.
constexpr int kUnlocked = 1;

bool can_lock(uint64_t object) { return *reinterpret_cast<volatile int*>(object) == kUnlocked; }

void take(pthread_spinlock_t* lock) {
  order_acquire(reinterpret_cast<uint64_t>(lock));
  *lock = -static_cast<int>(holder_mark(g_run.current));
  refresh(reinterpret_cast<uint64_t>(lock));
}

}  // namespace

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_spin_lock)(lock);
  wait_until_permitted(wire::Op::lock, reinterpret_cast<uint64_t>(lock), can_lock, kForever,
                       HEDDLE_CALLER);
  take(lock);
  return 0;
}

HEDDLE_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_spin_trylock)(lock);
  auto object = reinterpret_cast<uint64_t>(lock);
  reach(wire::Op::trylock, object, HEDDLE_CALLER);
  if (!can_lock(object)) return EBUSY;
  take(lock);
  return 0;
}

HEDDLE_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_spin_unlock)(lock);
  auto object = reinterpret_cast<uint64_t>(lock);
  reach(wire::Op::unlock, object, HEDDLE_CALLER);
  order_release(object);
  *lock = kUnlocked;
  refresh(object);
  return 0;
}

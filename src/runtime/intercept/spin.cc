// Spin locks: a thread that would spin waits instead.
#include <errno.h>
#include <pthread.h>

#include "runtime/detect/heap.h"
#include "runtime/detect/misuse.h"
#include "runtime/real.h"
#include "runtime/sync/waiting.h"

namespace heddle::runtime {

namespace {

// As glibc on x86: 1 is free. Held, it is who, negated, so that neither can be taken for the other.
constexpr int kUnlocked = 1;
constexpr int kUninitialised = 0;       // memory that never was one
constexpr int kDestroyed = 0x64656164;  // "dead"

// What is none any more, or never was, holds nobody back: whoever waits for it goes on to be told.
bool can_lock(uint64_t object) {
  int value = *reinterpret_cast<volatile int*>(object);
  return value == kUnlocked || value == kDestroyed || value == kUninitialised;
}

uint64_t object_of(pthread_spinlock_t* lock) { return reinterpret_cast<uint64_t>(lock); }

void check_alive(pthread_spinlock_t* lock, uint64_t pc) {
  check_object(object_of(lock), sizeof *lock, pc);
  if (*lock == kDestroyed) end_with_use_of_destroyed("spin lock", object_of(lock), pc);
  if (*lock == kUninitialised) {
    end_with_misuse(object_of(lock), pc,
                    "uses spin lock " HEDDLE_OBJECT ", which was not initialised");
  }
}

bool held_by(pthread_spinlock_t* lock, const Thread* thread) {
  return *lock == -static_cast<int>(holder_mark(thread));
}

ThreadName name_of_holder(pthread_spinlock_t* lock) {
  return ThreadName(index_of(static_cast<uint32_t>(-*lock)));
}

void take(pthread_spinlock_t* lock) {
  order_acquire(object_of(lock));
  mark_latest_step(wire::kTakes);
  *lock = -static_cast<int>(holder_mark(g_run.current));
  refresh(object_of(lock));
}

void unlock(pthread_spinlock_t* lock, uint64_t pc) {
  if (!held_by(lock, g_run.current)) check_alive(lock, pc);
  if (*lock == kUnlocked) {
    end_with_misuse(object_of(lock), pc,
                    "unlocks spin lock " HEDDLE_OBJECT ", which is not locked");
  }
  if (!held_by(lock, g_run.current)) {
    end_with_misuse(object_of(lock), pc, "unlocks spin lock " HEDDLE_OBJECT ", which %s holds",
                    name_of_holder(lock).text);
  }
  reach(wire::Op::unlock, object_of(lock), pc);
  check_alive(lock, pc);
  order_release(object_of(lock));
  *lock = kUnlocked;
  refresh(object_of(lock));
}

void destroy(pthread_spinlock_t* lock, uint64_t pc) {
  reach(wire::Op::destroy, object_of(lock), pc);
  check_alive(lock, pc);
  if (*lock != kUnlocked) {
    end_with_misuse(object_of(lock), pc, "destroys spin lock " HEDDLE_OBJECT ", which %s holds",
                    name_of_holder(lock).text);
  }
  *lock = kDestroyed;
}

}  // namespace

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_spin_lock)(lock);
  if (held_by(lock, g_run.current)) {
    end_with_misuse(object_of(lock), HEDDLE_CALLER,
                    "locks spin lock " HEDDLE_OBJECT
                    ", which it holds already: it would wait for itself");
  }
  wait_until_permitted(wire::Op::lock, object_of(lock), can_lock, kForever, HEDDLE_CALLER);
  check_alive(lock, HEDDLE_CALLER);
  take(lock);
  return 0;
}

HEDDLE_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_spin_trylock)(lock);
  reach_try(wire::Op::trylock, object_of(lock), HEDDLE_CALLER);
  check_alive(lock, HEDDLE_CALLER);
  if (!can_lock(object_of(lock))) return in_vain();
  take(lock);
  return 0;
}

HEDDLE_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_spin_unlock)(lock);
  unlock(lock, HEDDLE_CALLER);
  return 0;
}

HEDDLE_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_spin_destroy)(lock);
  destroy(lock, HEDDLE_CALLER);
  return 0;
}

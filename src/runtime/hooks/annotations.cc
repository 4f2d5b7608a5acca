// The annotations that code written for ThreadSanitizer calls: orders that no detector can see for
// itself, since they come from assembly or from the kernel. They are no operations. And our own:
// yield points, which are.
#include "runtime/detect/order.h"
#include "runtime/record/retry.h"
#include "runtime/runtime.h"

using namespace heddle::runtime;

namespace {

constexpr unsigned kReadLock = 1 << 3;  // __tsan_mutex_read_lock
constexpr unsigned kTryLockFailed = 1 << 5;

// Readers give what they did to the next writer, not to each other: an object of its own.
uint64_t readers_of(const void* mutex) { return reinterpret_cast<uint64_t>(mutex) + 1; }

void acquire(const volatile void* object) {
  if (!g_active) return;
  no_round();
  order_acquire(reinterpret_cast<uint64_t>(object));
}
void release(const volatile void* object) {
  if (!g_active) return;
  no_round();
  order_release(reinterpret_cast<uint64_t>(object));
}

}  // namespace

HEDDLE_EXPORT void __tsan_acquire(void* object) { acquire(object); }
HEDDLE_EXPORT void __tsan_release(void* object) { release(object); }
HEDDLE_EXPORT void AnnotateHappensBefore(const char*, int, const volatile void* object) {
  release(object);
}
HEDDLE_EXPORT void AnnotateHappensAfter(const char*, int, const volatile void* object) {
  acquire(object);
}

HEDDLE_EXPORT void __tsan_mutex_post_lock(void* mutex, unsigned flags, int) {
  if (!g_active || (flags & kTryLockFailed) != 0) return;
  no_round();
  acquire(mutex);
  if ((flags & kReadLock) == 0) order_acquire(readers_of(mutex));
}

// Returns how many times the mutex was held, which the program gives back to post_lock.
HEDDLE_EXPORT int __tsan_mutex_pre_unlock(void* mutex, unsigned flags) {
  if (g_active) {
    no_round();
    (flags & kReadLock) != 0 ? order_release(readers_of(mutex)) : release(mutex);
  }
  return 1;
}
HEDDLE_EXPORT void __tsan_mutex_post_unlock(void*, unsigned) {}

#define HEDDLE_IGNORED(name) \
  HEDDLE_EXPORT void name() {}

HEDDLE_IGNORED(__tsan_mutex_create)
HEDDLE_IGNORED(__tsan_mutex_destroy)
HEDDLE_IGNORED(__tsan_mutex_pre_lock)
HEDDLE_IGNORED(__tsan_mutex_pre_signal)
HEDDLE_IGNORED(__tsan_mutex_post_signal)
HEDDLE_IGNORED(__tsan_mutex_pre_divert)
HEDDLE_IGNORED(__tsan_mutex_post_divert)
HEDDLE_IGNORED(AnnotateIgnoreReadsBegin)
HEDDLE_IGNORED(AnnotateIgnoreReadsEnd)
HEDDLE_IGNORED(AnnotateIgnoreWritesBegin)
HEDDLE_IGNORED(AnnotateIgnoreWritesEnd)
HEDDLE_IGNORED(AnnotateBenignRaceSized)

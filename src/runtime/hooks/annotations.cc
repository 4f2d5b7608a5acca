// The annotations that code written for ThreadSanitizer calls: orders that it could not see for
// itself. Here they have nothing to tell.
#include "runtime/runtime.h"

#define HEDDLE_IGNORED(name) \
  HEDDLE_EXPORT void name() {}

HEDDLE_IGNORED(__tsan_acquire)
HEDDLE_IGNORED(__tsan_release)
HEDDLE_IGNORED(__tsan_mutex_create)
HEDDLE_IGNORED(__tsan_mutex_destroy)
HEDDLE_IGNORED(__tsan_mutex_pre_lock)
HEDDLE_IGNORED(__tsan_mutex_post_lock)
HEDDLE_IGNORED(__tsan_mutex_pre_signal)
HEDDLE_IGNORED(__tsan_mutex_post_signal)
HEDDLE_IGNORED(__tsan_mutex_pre_divert)
HEDDLE_IGNORED(__tsan_mutex_post_divert)
HEDDLE_IGNORED(AnnotateHappensBefore)
HEDDLE_IGNORED(AnnotateHappensAfter)
HEDDLE_IGNORED(AnnotateIgnoreReadsBegin)
HEDDLE_IGNORED(AnnotateIgnoreReadsEnd)
HEDDLE_IGNORED(AnnotateIgnoreWritesBegin)
HEDDLE_IGNORED(AnnotateIgnoreWritesEnd)
HEDDLE_IGNORED(AnnotateBenignRaceSized)

// How many times the mutex was held; the program gives it back to __tsan_mutex_post_lock.
HEDDLE_EXPORT int __tsan_mutex_pre_unlock(void*, unsigned) { return 1; }
HEDDLE_EXPORT void __tsan_mutex_post_unlock(void*, unsigned) {}

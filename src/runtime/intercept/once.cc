// pthread_once, and the guards of function statics.
#include "runtime/sync/once.h"

#include "runtime/isolate/modules.h"
#include "runtime/real.h"

// once_call.c: calls `routine`, and `heddle_once_left` also when an exception passes.
extern "C" void heddle_call_once(void (*routine)(), pthread_once_t* control);

using namespace heddle;
using namespace heddle::runtime;

extern "C" __attribute__((visibility("hidden"))) void heddle_once_left(pthread_once_t* control,
                                                                       int done) {
  leave(Once(control), done != 0, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_once(pthread_once_t* control, void (*routine)()) {
  if (!g_active || in_unwinder(HEDDLE_CALLER)) return HEDDLE_REAL(pthread_once)(control, routine);
  if (arrive(Once(control), HEDDLE_CALLER)) heddle_call_once(routine, control);
  return 0;
}

HEDDLE_EXPORT int __cxa_guard_acquire(void* guard) {
  if (!g_active) return HEDDLE_REAL(guard_acquire)(guard);
  return arrive(Guard(guard), HEDDLE_CALLER) ? 1 : 0;
}

HEDDLE_EXPORT void __cxa_guard_release(void* guard) {
  if (!g_active) return HEDDLE_REAL(guard_release)(guard);
  leave(Guard(guard), true, HEDDLE_CALLER);
}

HEDDLE_EXPORT void __cxa_guard_abort(void* guard) {
  if (!g_active) return HEDDLE_REAL(guard_abort)(guard);
  leave(Guard(guard), false, HEDDLE_CALLER);
}

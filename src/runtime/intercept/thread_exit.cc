// See thread_exit.h.
#include "runtime/intercept/thread_exit.h"

#include "runtime/carrier/slots.h"
#include "runtime/ending/ending.h"
#include "runtime/real.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

namespace {

constexpr uint32_t kMaxExits = 1 << 18;
ThreadExit g_exits[kMaxExits];
uint32_t g_used;     // in this execution
ThreadExit* g_free;  // run, and free again

ThreadExit* take() {
  if (g_free != nullptr) {
    ThreadExit* exit = g_free;
    g_free = exit->next;
    return exit;
  }
  return g_used < kMaxExits ? &g_exits[g_used++] : nullptr;
}

}  // namespace

void run_thread_exits(Thread* thread) {
  while (ThreadExit* exit = thread->slot->exits) {
    thread->slot->exits = exit->next;
    ThreadExit copy = *exit;
    exit->next = g_free;
    g_free = exit;
    copy.function(copy.argument);
  }
}

void thread_exits_reset() {
  g_used = 0;
  g_free = nullptr;
}

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int __cxa_thread_atexit_impl(void (*function)(void*), void* argument, void* module) {
  if (!g_active) return HEDDLE_REAL(cxa_thread_atexit)(function, argument, module);
  no_round();
  ThreadExit* exit = take();
  if (exit == nullptr) end_unsupported("more than 262,144 thread_local destructors", HEDDLE_CALLER);
  *exit = {function, argument, g_run.current->slot->exits};
  g_run.current->slot->exits = exit;
  return 0;
}

// Clean-up handlers of C programs (pthread_cleanup_push without -fexceptions): a chain of jump
// buffers, innermost first. C++ programs, and C with -fexceptions, have theirs in the unwinder's
// tables.
#include "runtime/intercept/cleanup.h"

#include <setjmp.h>

#include "runtime/carrier/slots.h"
#include "runtime/real.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

namespace {

auto* buffer_of(void* cleanup) { return static_cast<__pthread_unwind_buf_t*>(cleanup); }

}  // namespace

void run_cleanups() {
  Slot* slot = g_run.current->slot;
  void* cleanup = slot->cleanup;
  if (cleanup == nullptr) return;
  slot->cleanup = buffer_of(cleanup)->__pad[0];
  // Arrives in the macro of the program, which calls the handler and then __pthread_unwind_next.
  siglongjmp(reinterpret_cast<__jmp_buf_tag*>(buffer_of(cleanup)->__cancel_jmp_buf), 1);
}

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) {
  if (!g_active) return HEDDLE_REAL(register_cancel)(buffer);
  no_round();
  Slot* slot = g_run.current->slot;
  buffer->__pad[0] = slot->cleanup;
  slot->cleanup = buffer;
}

HEDDLE_EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer) {
  if (!g_active) return HEDDLE_REAL(unregister_cancel)(buffer);
  no_round();
  g_run.current->slot->cleanup = buffer->__pad[0];
}

// With the promise that cancellation is deferred meanwhile: it always is.
HEDDLE_EXPORT void __pthread_register_cancel_defer(__pthread_unwind_buf_t* buffer) {
  if (!g_active) return HEDDLE_REAL(register_cancel_defer)(buffer);
  __pthread_register_cancel(buffer);
}

HEDDLE_EXPORT void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t* buffer) {
  if (!g_active) return HEDDLE_REAL(unregister_cancel_restore)(buffer);
  __pthread_unregister_cancel(buffer);
}

HEDDLE_EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t* buffer) {
  if (!g_active) {
    HEDDLE_REAL(unwind_next)(buffer);
    __builtin_unreachable();
  }
  run_cleanups();
  finish_after_cleanups();
}

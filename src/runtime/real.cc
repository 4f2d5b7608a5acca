// See real.h.
#include "runtime/real.h"

namespace heddle::runtime::real {

#define HEDDLE_DEFINE_REAL(name) decltype(&::name) name;
HEDDLE_REAL_FUNCTIONS(HEDDLE_DEFINE_REAL)
#undef HEDDLE_DEFINE_REAL

StartMain libc_start_main;
Atexit cxa_atexit;
Atexit cxa_thread_atexit;
GuardAcquire guard_acquire;
GuardEnd guard_release;
GuardEnd guard_abort;
EndCatch end_catch;
ExceptionRelease exception_release;
Cleanup register_cancel;
Cleanup unregister_cancel;
Cleanup register_cancel_defer;
Cleanup unregister_cancel_restore;
Cleanup unwind_next;
LongJump longjmp_chk;
Syscall syscall;
bool g_found;

namespace {

// All pointers to functions look alike here; a template would have instances that Clang cannot tell
// apart, since exception specifications are not part of their names.
void find_address(void* function, const char* name) {
  void* address = dlsym(RTLD_NEXT, name);
  __builtin_memcpy(function, &address, sizeof address);
}

}  // namespace

void find_all() {
#define HEDDLE_FIND_REAL(name) find_address(&name, #name);
  HEDDLE_REAL_FUNCTIONS(HEDDLE_FIND_REAL)
#undef HEDDLE_FIND_REAL
  find_address(&libc_start_main, "__libc_start_main");
  find_address(&cxa_atexit, "__cxa_atexit");
  find_address(&cxa_thread_atexit, "__cxa_thread_atexit_impl");
  find_address(&guard_acquire, "__cxa_guard_acquire");
  find_address(&guard_release, "__cxa_guard_release");
  find_address(&guard_abort, "__cxa_guard_abort");
  find_address(&end_catch, "__cxa_end_catch");
  find_address(&exception_release, "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
  find_address(&register_cancel, "__pthread_register_cancel");
  find_address(&unregister_cancel, "__pthread_unregister_cancel");
  find_address(&register_cancel_defer, "__pthread_register_cancel_defer");
  find_address(&unregister_cancel_restore, "__pthread_unregister_cancel_restore");
  find_address(&unwind_next, "__pthread_unwind_next");
  find_address(&longjmp_chk, "__longjmp_chk");
  find_address(&syscall, "syscall");
  g_found = true;
}

namespace {

__attribute__((constructor(101))) void find_early() {
  if (!g_found) find_all();
}

}  // namespace

}  // namespace heddle::runtime::real

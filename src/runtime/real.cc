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
Cleanup register_cancel;
Cleanup unregister_cancel;
Cleanup unwind_next;
Syscall syscall;
bool g_found;

namespace {

template <typename F>
void find(F& function, const char* name) {
  function = reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

}  // namespace

void find_all() {
#define HEDDLE_FIND_REAL(name) find(name, #name);
  HEDDLE_REAL_FUNCTIONS(HEDDLE_FIND_REAL)
#undef HEDDLE_FIND_REAL
  find(libc_start_main, "__libc_start_main");
  find(cxa_atexit, "__cxa_atexit");
  find(cxa_thread_atexit, "__cxa_thread_atexit_impl");
  find(guard_acquire, "__cxa_guard_acquire");
  find(guard_release, "__cxa_guard_release");
  find(guard_abort, "__cxa_guard_abort");
  find(register_cancel, "__pthread_register_cancel");
  find(unregister_cancel, "__pthread_unregister_cancel");
  find(unwind_next, "__pthread_unwind_next");
  find(syscall, "syscall");
  g_found = true;
}

namespace {

__attribute__((constructor(101))) void find_early() {
  if (!g_found) find_all();
}

}  // namespace

}  // namespace heddle::runtime::real

// syscall(2) as libc offers it: what would block or synchronise threads behind our back does not
// get through.
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "runtime/detect/ending.h"
#include "runtime/intercept/futex.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

const char* unsupported_call(long number) {
  switch (number) {
    case SYS_clone:
    case SYS_fork:
    case SYS_vfork:
      return "syscall(SYS_clone or SYS_fork)";
    default:
      return nullptr;
  }
}

}  // namespace

HEDDLE_EXPORT long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (g_active) {
    if (number == SYS_futex) return futex_call(a, HEDDLE_CALLER);
    if (number == SYS_gettid) return gettid();
    if (const char* what = unsupported_call(number)) end_unsupported(what, HEDDLE_CALLER);
  }
  return HEDDLE_REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

// syscall(2) as libc offers it: what would block or synchronise threads behind our back does not
// get through.
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "runtime/ending/ending.h"
#include "runtime/intercept/futex.h"
#include "runtime/intercept/transfer.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

const char* unsupported_call(long number) {
  switch (number) {
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
      return "syscall(SYS_clone or SYS_fork)";
    case SYS_execve:
    case SYS_execveat:
      return "syscall(SYS_execve)";
    case SYS_tkill:
    case SYS_tgkill:
    case SYS_rt_tgsigqueueinfo:
      return "syscall(SYS_tkill or SYS_tgkill)";
    case SYS_pause:
    case SYS_rt_sigsuspend:
    case SYS_rt_sigtimedwait:
      return "syscall(SYS_rt_sigtimedwait and its kin)";
    case SYS_io_uring_setup:
    case SYS_io_setup:
      return "syscall(SYS_io_uring_setup or SYS_io_setup)";
    default:
      return nullptr;
  }
}

// Calls whose first argument is a descriptor that they would read, write, wait for or duplicate.
bool uses_descriptor(long number) {
  switch (number) {
    case SYS_readv:
    case SYS_writev:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_recvmmsg:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_sendmmsg:
    case SYS_accept:
    case SYS_accept4:
    case SYS_connect:
    case SYS_shutdown:
    case SYS_dup:
    case SYS_dup2:
    case SYS_dup3:
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
    case SYS_epoll_pwait2:
    case SYS_timerfd_settime:
    case SYS_timerfd_gettime:
    case SYS_splice:
    case SYS_tee:
    case SYS_vmsplice:
    case SYS_sendfile:
      return true;
    default:
      return false;
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
    auto fd = static_cast<int>(a[0]);
    if (number == SYS_read)
      return controlled_read(fd, reinterpret_cast<void*>(a[1]), static_cast<size_t>(a[2]),
                             HEDDLE_CALLER);
    if (number == SYS_write)
      return controlled_write(fd, reinterpret_cast<const void*>(a[1]), static_cast<size_t>(a[2]),
                              HEDDLE_CALLER);
    if (number == SYS_close) return controlled_close(fd, HEDDLE_CALLER);
    if (uses_descriptor(number) && channel_of(fd) != nullptr)
      end_unsupported("syscall on a descriptor between threads", HEDDLE_CALLER,
                      "call the function of libc instead");
    if (const char* what = unsupported_call(number))
      end_unsupported(what, HEDDLE_CALLER, "put a function that the test replaces around the call");
  }
  return HEDDLE_REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

// Timers that are descriptors, by virtual time. The kernel's object behind one is an eventfd, into
// which the runtime writes when the timer expires: it counts, is read and is polled as a timer is.
#include <errno.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "base/raw_call.h"
#include "runtime/intercept/open_files.h"
#include "runtime/intercept/time.h"
#include "runtime/isolate/leftovers.h"
#include "runtime/isolate/snapshot.h"
#include "runtime/real.h"
#include "runtime/sync/descriptors.h"

namespace heddle::runtime {

namespace {

Channel* timer_of(int fd) {
  Channel* channel = channel_of(fd);
  return channel != nullptr && channel->kind == wire::Descriptor::timer ? channel : nullptr;
}

bool is_zero(const timespec& time) { return time.tv_sec == 0 && time.tv_nsec == 0; }

bool is_good(const timespec& time) { return is_valid(&time) && time.tv_sec >= 0; }

// What the timer has counted so far is forgotten.
void drain(int fd) {
  uint64_t count;
  if (poll_now(fd, POLLIN) != 0) raw_call(SYS_read, fd, raw_argument(&count), sizeof count);
}

}  // namespace

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
  if (!g_active) return HEDDLE_REAL(timerfd_create)(clock, flags);
  touch_new_descriptor(HEDDLE_CALLER);
  int fd = HEDDLE_REAL(timerfd_create)(clock, flags);
  if (fd < 0) return fd;
  // The kernel has found nothing wrong with the arguments.
  static_assert(int{TFD_CLOEXEC} == int{EFD_CLOEXEC} && int{TFD_NONBLOCK} == int{EFD_NONBLOCK});
  HEDDLE_REAL(close)(fd);
  fd = HEDDLE_REAL(eventfd)(0, flags);
  if (fd < 0) return fd;
  heddle_descriptors_noted = true;
  Channel* timer = new_channel(wire::Descriptor::timer);
  timer->clock = clock;
  assign_channel(fd, timer);
  return fd;
}

HEDDLE_EXPORT int timerfd_settime(int fd, int flags, const itimerspec* setting,
                                  itimerspec* old) noexcept {
  if (g_active) touch_number(fd, HEDDLE_CALLER);
  Channel* timer = g_active ? timer_of(fd) : nullptr;
  if (timer == nullptr) return HEDDLE_REAL(timerfd_settime)(fd, flags, setting, old);
  if (setting == nullptr) {
    errno = EFAULT;
    return -1;
  }
  if ((flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)) != 0 ||
      !is_good(setting->it_value) || !is_good(setting->it_interval)) {
    errno = EINVAL;
    return -1;
  }
  reach_descriptor(wire::Op::fd_change, timer, fd, HEDDLE_CALLER);
  expire_timers();
  if (old != nullptr) *old = setting_of(timer->interval, timer->expiry);
  drain(fd);
  timer->interval = nanoseconds(&setting->it_interval);
  if (is_zero(setting->it_value)) {
    timer->expiry = kForever;
  } else if ((flags & TFD_TIMER_ABSTIME) != 0) {
    timer->expiry = deadline_of(timer->clock, &setting->it_value);
  } else {
    timer->expiry = moment_after(nanoseconds(&setting->it_value));
  }
  channel_given(timer);
  return 0;
}

HEDDLE_EXPORT int timerfd_gettime(int fd, itimerspec* setting) noexcept {
  if (g_active) touch_number(fd, HEDDLE_CALLER);
  Channel* timer = g_active ? timer_of(fd) : nullptr;
  if (timer == nullptr) return HEDDLE_REAL(timerfd_gettime)(fd, setting);
  reach_descriptor(wire::Op::fd_poll, timer, fd, HEDDLE_CALLER);
  expire_timers();
  *setting = setting_of(timer->interval, timer->expiry);
  return 0;
}

// POSIX timers by virtual time. Each expiry of one with SIGEV_THREAD is a new thread, which begins
// late: whenever the schedule lets its moment come. Those that would raise a signal stop with their
// name.
#include <errno.h>
#include <signal.h>
#include <time.h>

#include "runtime/ending/ending.h"
#include "runtime/intercept/fail.h"
#include "runtime/intercept/threads.h"
#include "runtime/intercept/time.h"
#include "runtime/isolate/snapshot.h"
#include "runtime/real.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

using wire::Op;

namespace {

constexpr uint64_t kTimers = 1024;

struct Timer {
  bool used;
  clockid_t clock;
  sigevent event;
  int64_t expiry;    // kForever: it is not armed
  int64_t interval;  // 0: it expires once
  Thread* next;      // will begin at the expiry; null: none
};

Timer g_timers[kTimers];
uint64_t g_epoch;  // of the execution that they are of

// What the program holds is a number, as natively.
Timer* timer_of(timer_t id) {
  auto number = reinterpret_cast<uint64_t>(id);
  if (g_epoch != g_object_epoch || number >= kTimers || !g_timers[number].used) return nullptr;
  return &g_timers[number];
}

void* expire(void* argument);

void arm(Timer* timer, uint64_t pc) {
  timer->next = nullptr;
  if (timer->expiry != kForever && timer->event.sigev_notify == SIGEV_THREAD)
    timer->next = start_later(expire, timer, timer->expiry, pc);
}

void disarm(Timer* timer) {
  if (timer->next != nullptr) drop_thread(timer->next);
  timer->next = nullptr;
  timer->expiry = kForever;
}

void* expire(void* argument) {
  auto* timer = static_cast<Timer*>(argument);
  sigevent event = timer->event;
  pass_time_until(timer->expiry);
  timer->next = nullptr;
  if (timer->interval != 0) {
    timer->expiry += timer->interval;
    arm(timer, reinterpret_cast<uint64_t>(event.sigev_notify_function) + 1);
  } else {
    timer->expiry = kForever;
  }
  event.sigev_notify_function(event.sigev_value);
  return nullptr;
}

bool is_good(const timespec& time) { return is_valid(&time) && time.tv_sec >= 0; }

}  // namespace

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* id) noexcept {
  if (!g_active) return HEDDLE_REAL(timer_create)(clock, event, id);
  timespec unused;
  if (clock < 0 || clock_getres(clock, &unused) != 0) return fail(EINVAL);
  if (event == nullptr ||
      (event->sigev_notify != SIGEV_THREAD && event->sigev_notify != SIGEV_NONE))
    end_unsupported("timer_create with a signal", HEDDLE_CALLER,
                    "SIGEV_THREAD and timerfd_create are supported");
  if (g_epoch != g_object_epoch) {
    g_epoch = g_object_epoch;
    for (Timer& timer : g_timers) timer.used = false;
  }
  for (uint64_t i = 0; i < kTimers; ++i) {
    if (g_timers[i].used) continue;
    g_timers[i] = {true, clock, *event, kForever, 0, nullptr};
    *id = reinterpret_cast<timer_t>(i);
    return 0;
  }
  return fail(EAGAIN);
}

HEDDLE_EXPORT int timer_settime(timer_t id, int flags, const itimerspec* setting,
                                itimerspec* old) noexcept {
  if (!g_active) return HEDDLE_REAL(timer_settime)(id, flags, setting, old);
  Timer* timer = timer_of(id);
  if (timer == nullptr || setting == nullptr || !is_good(setting->it_value) ||
      !is_good(setting->it_interval))
    return fail(EINVAL);
  reach(Op::timer_set, reinterpret_cast<uint64_t>(timer), HEDDLE_CALLER);
  if (old != nullptr) *old = setting_of(timer->interval, timer->expiry);
  disarm(timer);
  timer->interval = nanoseconds(&setting->it_interval);
  if (setting->it_value.tv_sec != 0 || setting->it_value.tv_nsec != 0) {
    bool absolute = (flags & TIMER_ABSTIME) != 0;
    timer->expiry = absolute ? deadline_of(timer->clock, &setting->it_value)
                             : moment_after(nanoseconds(&setting->it_value));
  }
  arm(timer, HEDDLE_CALLER);
  return 0;
}

HEDDLE_EXPORT int timer_gettime(timer_t id, itimerspec* setting) noexcept {
  if (!g_active) return HEDDLE_REAL(timer_gettime)(id, setting);
  const Timer* timer = timer_of(id);
  if (timer == nullptr) return fail(EINVAL);
  reach(Op::timer_set, reinterpret_cast<uint64_t>(timer), HEDDLE_CALLER);
  *setting = setting_of(timer->interval, timer->expiry);
  return 0;
}

HEDDLE_EXPORT int timer_getoverrun(timer_t id) noexcept {
  if (!g_active) return HEDDLE_REAL(timer_getoverrun)(id);
  return timer_of(id) != nullptr ? 0 : fail(EINVAL);
}

HEDDLE_EXPORT int timer_delete(timer_t id) noexcept {
  if (!g_active) return HEDDLE_REAL(timer_delete)(id);
  Timer* timer = timer_of(id);
  if (timer == nullptr) return fail(EINVAL);
  reach(Op::timer_set, reinterpret_cast<uint64_t>(timer), HEDDLE_CALLER);
  disarm(timer);
  timer->used = false;
  return 0;
}

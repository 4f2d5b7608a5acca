// See time.h. Every step takes a microsecond, every look at a clock another one (so that a loop
// that waits for a clock ends), and a sleep or a time-out that is chosen takes the thread's clock
// to its deadline.
#include "runtime/intercept/time.h"

#include <errno.h>
#include <sys/time.h>

#include "runtime/ending/ending.h"
#include "runtime/real.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

using wire::Op;

namespace {

constexpr int64_t kSecond = kNanosecondsPerSecond;
// What the clocks show when an execution begins: the same moment every time. Real time: 2020-01-01
// 00:00:00 UTC.
constexpr int64_t kRealStart = 1577836800 * kSecond;
constexpr int64_t kMonotonicStart = 1000 * kSecond;

bool shows_real_time(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

bool shows_cpu_time(clockid_t clock) {
  return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0;
}

int64_t start_of(clockid_t clock) {
  if (shows_real_time(clock)) return kRealStart;
  return shows_cpu_time(clock) ? 0 : kMonotonicStart;
}

int64_t look(clockid_t clock) {
  no_round();
  note_unvaried(wire::Unvaried::clocks);
  g_run.current->now += kNanosecondsPerStep;
  return virtual_now() + start_of(clock);
}

void pause_until(Op op, int64_t deadline, uint64_t pc) {
  bool is_point = op == Op::sleep;  // of cancellation; a yield is none
  if (is_point) cancellation_point(pc);
  announce(op, 0, pc);
  g_run.current->pending.deadline = deadline;
  g_run.current->pending.yields = Yields::yes;
  set_state(g_run.current, State::late);
  is_point ? settle_at_cancellation_point() : settle();
  pass_time_until(deadline);
}

void pause_for(int64_t duration, uint64_t pc) {
  pause_until(Op::sleep, moment_after(duration), pc);
}

}  // namespace

int64_t nanoseconds(const timespec* time) {
  // Far futures are as good as the end of time.
  if (time->tv_sec > INT64_MAX / kSecond - 1) return INT64_MAX;
  return time->tv_sec * kSecond + time->tv_nsec;
}

timespec to_timespec(int64_t time) { return {time / kSecond, time % kSecond}; }

itimerspec setting_of(int64_t interval, int64_t expiry) {
  itimerspec setting{};
  setting.it_interval = to_timespec(interval);
  if (expiry == kForever) return setting;
  int64_t left = expiry - virtual_now();
  setting.it_value = to_timespec(left > 0 ? left : 1);
  return setting;
}

bool is_valid(const timespec* time) { return time->tv_nsec >= 0 && time->tv_nsec < kSecond; }

bool can_wait_by(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

int64_t deadline_of(clockid_t clock, const timespec* time) {
  int64_t moment = nanoseconds(time);
  if (moment == INT64_MAX) return INT64_MAX - 1;
  return moment - start_of(clock);
}

int64_t moment_after(int64_t duration) {
  int64_t now = virtual_now();
  return duration > INT64_MAX - 1 - now ? INT64_MAX - 1 : now + duration;
}

void sleep_until(int64_t deadline, uint64_t pc) { pause_until(Op::sleep, deadline, pc); }

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

// sched_yield itself is in yield.S.
extern "C" __attribute__((visibility("hidden"), used)) int heddle_sched_yield(
    const KeptRegisters* registers) noexcept {
  if (!g_active) return HEDDLE_REAL(sched_yield)();
  Thread* self = g_run.current;
  self->registers = registers;
  pause_until(wire::Op::yield, virtual_now(), registers->pc);
  self->registers = nullptr;
  return 0;
}

HEDDLE_EXPORT int nanosleep(const timespec* duration, timespec* remaining) {
  if (!g_active) return HEDDLE_REAL(nanosleep)(duration, remaining);
  if (!is_valid(duration) || duration->tv_sec < 0) {
    errno = EINVAL;
    return -1;
  }
  pause_for(nanoseconds(duration), HEDDLE_CALLER);
  return 0;
}

HEDDLE_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* time,
                                  timespec* remaining) {
  if (!g_active) return HEDDLE_REAL(clock_nanosleep)(clock, flags, time, remaining);
  if (!is_valid(time) || time->tv_sec < 0 || clock == CLOCK_THREAD_CPUTIME_ID) return EINVAL;
  if ((flags & TIMER_ABSTIME) != 0) {
    pause_until(wire::Op::sleep, deadline_of(clock, time), HEDDLE_CALLER);
  } else {
    pause_for(nanoseconds(time), HEDDLE_CALLER);
  }
  return 0;
}

HEDDLE_EXPORT int usleep(useconds_t microseconds) {
  if (!g_active) return HEDDLE_REAL(usleep)(microseconds);
  pause_for(int64_t{microseconds} * 1000, HEDDLE_CALLER);
  return 0;
}

HEDDLE_EXPORT unsigned sleep(unsigned seconds) {
  if (!g_active) return HEDDLE_REAL(sleep)(seconds);
  pause_for(int64_t{seconds} * kSecond, HEDDLE_CALLER);
  return 0;
}

HEDDLE_EXPORT int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (!g_active) return HEDDLE_REAL(clock_gettime)(clock, time);
  *time = to_timespec(look(clock));
  return 0;
}

HEDDLE_EXPORT int gettimeofday(timeval* time, void* zone) noexcept {
  if (!g_active) return HEDDLE_REAL(gettimeofday)(time, static_cast<struct timezone*>(zone));
  int64_t now = look(CLOCK_REALTIME);
  *time = {now / kSecond, now % kSecond / 1000};
  return 0;
}

HEDDLE_EXPORT time_t time(time_t* result) noexcept {
  if (!g_active) return HEDDLE_REAL(time)(result);
  time_t now = look(CLOCK_REALTIME) / kSecond;
  if (result != nullptr) *result = now;
  return now;
}

HEDDLE_EXPORT int timespec_get(timespec* time, int base) noexcept {
  if (!g_active) return HEDDLE_REAL(timespec_get)(time, base);
  if (base != TIME_UTC) return 0;
  *time = to_timespec(look(CLOCK_REALTIME));
  return base;
}

HEDDLE_EXPORT clock_t clock() noexcept {
  if (!g_active) return HEDDLE_REAL(clock)();
  return look(CLOCK_PROCESS_CPUTIME_ID) / 1000;
}

// See futex.h. A wait is two steps: look at the word and fall asleep, in one; later, wake. Which of
// the sleepers a wake of one lets go is open.
#include "runtime/intercept/futex.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>

#include "runtime/ending/ending.h"
#include "runtime/intercept/time.h"
#include "runtime/sync/waiting.h"

namespace heddle::runtime {

using wire::Op;

namespace {

constexpr uint8_t kWordBytes = 4;

long fail(int error) {
  errno = error;
  return -1;
}

long wait(uint64_t object, uint32_t value, int64_t deadline, uint32_t bits, uint64_t pc) {
  if (bits == 0) return fail(EINVAL);
  Thread* self = g_run.current;
  reach(Op::futex_wait, object, pc, kWordBytes);
  check_object(object, kWordBytes, pc);
  if (*reinterpret_cast<volatile uint32_t*>(object) != value) return fail(EAGAIN);
  self->pending.choices = bits;
  self->pending.size = 0;
  return sleep_until_woken(Op::futex_sleep, deadline) ? 0 : fail(ETIMEDOUT);
}

void wake_one(Thread* sleeper) {
  let_go(sleeper);
  set_state(sleeper, State::ready);
}

// The first sleeper whose bits are among these, from number n on in the order of arrival.
Thread* sleeper_with(uint64_t object, uint32_t n, uint32_t bits) {
  for (;; ++n) {
    Thread* sleeper = nth_sleeper(object, n);
    if (sleeper == nullptr || (sleeper->pending.choices & bits) != 0) return sleeper;
  }
}

long wake(uint64_t object, long count, uint32_t bits, uint64_t pc) {
  if (bits == 0) return fail(EINVAL);
  announce(Op::futex_wake, object, pc);
  g_run.current->pending.bytes = kWordBytes;
  long woken = 0;
  if (count == 1) {
    Thread* sleeper = sleeper_with(object, settle_open(), bits);
    // Counted from the chosen one on; if only earlier ones match, it is one of those.
    if (sleeper == nullptr) sleeper = sleeper_with(object, 0, bits);
    if (sleeper != nullptr) wake_one(sleeper), woken = 1;
    return woken;
  }
  settle();
  while (woken < count) {
    Thread* sleeper = sleeper_with(object, 0, bits);
    if (sleeper == nullptr) break;
    wake_one(sleeper);
    ++woken;
  }
  return woken;
}

long requeue(uint64_t object, long wake_count, long move_count, uint64_t target, uint64_t pc) {
  long affected = 0;
  for (; affected < wake_count; ++affected) {
    Thread* sleeper = nth_sleeper(object, 0);
    if (sleeper == nullptr) return affected;
    wake_one(sleeper);
  }
  for (long moved = 0; moved < move_count; ++moved, ++affected) {
    Thread* sleeper = nth_sleeper(object, 0);
    if (sleeper == nullptr) return affected;
    sleeper->pending.object = target;
    sleeper->wait_number = ++g_run.wait_counter;
  }
  static_cast<void>(pc);
  return affected;
}

int64_t relative_deadline(const timespec* time) {
  if (time == nullptr) return kForever;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  timespec moment{now.tv_sec + time->tv_sec, now.tv_nsec + time->tv_nsec};
  return deadline_of(CLOCK_MONOTONIC, &moment);
}

}  // namespace

long futex_call(const long* arguments, uint64_t pc) {
  auto object = static_cast<uint64_t>(arguments[0]);
  auto op = static_cast<int>(arguments[1]);
  auto value = static_cast<uint32_t>(arguments[2]);
  const auto* time = reinterpret_cast<const timespec*>(arguments[3]);
  auto bits = static_cast<uint32_t>(arguments[5]);
  clockid_t clock = (op & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  switch (op & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
      if (time != nullptr && !is_valid(time)) return fail(EINVAL);
      return wait(object, value, relative_deadline(time), FUTEX_BITSET_MATCH_ANY, pc);
    case FUTEX_WAIT_BITSET:
      if (time != nullptr && !is_valid(time)) return fail(EINVAL);
      return wait(object, value, time == nullptr ? kForever : deadline_of(clock, time), bits, pc);
    case FUTEX_WAKE:
      return wake(object, arguments[2], FUTEX_BITSET_MATCH_ANY, pc);
    case FUTEX_WAKE_BITSET:
      return wake(object, arguments[2], bits, pc);
    case FUTEX_CMP_REQUEUE:
      reach_range(Op::futex_wake, object, kWordBytes, pc);
      if (*reinterpret_cast<volatile uint32_t*>(object) != bits) return fail(EAGAIN);
      return requeue(object, arguments[2], arguments[3], static_cast<uint64_t>(arguments[4]), pc);
    case FUTEX_REQUEUE:
      reach_range(Op::futex_wake, object, kWordBytes, pc);
      return requeue(object, arguments[2], arguments[3], static_cast<uint64_t>(arguments[4]), pc);
    default:
      end_unsupported("syscall(SYS_futex) with an operation other than wait, wake and requeue", pc);
  }
}

}  // namespace heddle::runtime

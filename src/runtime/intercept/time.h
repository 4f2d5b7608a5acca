// Virtual time, which never moves with the machine's clock. Each thread has its own: it moves with
// the thread's steps, and is brought up to that of whoever the thread synchronises with. So what a
// thread sees of it follows from the happens-before alone (record/fingerprint.h).
#pragma once

#include <time.h>

#include <cstdint>

#include "runtime/sync/waiting.h"

namespace heddle::runtime {

inline constexpr int64_t kNanosecondsPerSecond = 1000000000;

// The virtual moment, as Pending::deadline, at which `clock` shows `time`.
int64_t deadline_of(clockid_t clock, const timespec* time);
bool is_valid(const timespec* time);
// The clocks that waits with a time limit can go by.
bool can_wait_by(clockid_t clock);

// A length of time, and the moment at which it will have passed from now on; far futures are as
// good as the last moment but one.
int64_t nanoseconds(const timespec* time);
int64_t moment_after(int64_t duration);
timespec to_timespec(int64_t time);

// What is told of a timer: how often it comes, and how long it is until it does.
itimerspec setting_of(int64_t interval, int64_t expiry);

// The running thread sleeps so long.
void sleep_until(int64_t deadline, uint64_t pc);

}  // namespace heddle::runtime

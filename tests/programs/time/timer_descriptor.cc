// Timers that are descriptors follow virtual time. A read of one that is armed waits, and may go on
// at any moment: the hour has then passed. It and the load after it mix with the other thread's
// begin, store and end in 5!/(2!3!) = 10 ways; in 1 + 2 of them the load comes before the store.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --json %t.json --show-output %t race > %t.lines
// JSON: j["verdict"] == "passed" and j["executions"] == 10 and j["seconds"] < 5
// RUN: grep '^stored' %t.lines | sort | uniq -c | tr -s ' \n' ' '
// OUT: ^ 3 stored 0 7 stored 1 $
// RUN: %heddle run --strategy dfs --json %t.json %t count
// JSON: j["verdict"] == "passed" and j["executions"] == 1 and j["seconds"] < 5
// RUN: %heddle run --strategy dfs --json %t.json %t disarmed
// EXIT: 1
// OUT: main *waits to read descriptor 3 \(timer\)
// JSON: j["failures"][0]["kind"] == "deadlock"
#include <errno.h>
#include <poll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <cstring>
#include <thread>
using namespace std::chrono;

constexpr long kMillisecond = 1000000;
std::atomic<int> stored;

uint64_t expirations(int timer) {
  uint64_t count = 0;
  assert(read(timer, &count, sizeof count) == sizeof count);
  return count;
}

void race(int timer) {
  itimerspec hour{{0, 0}, {3600, 0}};
  assert(timerfd_settime(timer, 0, &hour, nullptr) == 0);
  auto before = steady_clock::now();
  std::thread other([] { stored = 1; });
  assert(expirations(timer) == 1);
  int seen = stored;
  assert(steady_clock::now() - before >= hours(1));
  other.join();
  assert(write(1, seen != 0 ? "stored 1\n" : "stored 0\n", 9) == 9);
}

void count(int timer) {
  itimerspec periodic{{0, 10 * kMillisecond}, {0, 10 * kMillisecond}}, old{};
  assert(timerfd_settime(timer, 0, &periodic, nullptr) == 0);
  std::this_thread::sleep_for(milliseconds(35));
  assert(expirations(timer) == 3);
  assert(expirations(timer) == 1);  // waits for the fourth
  assert(timerfd_gettime(timer, &old) == 0 && old.it_interval.tv_nsec == 10 * kMillisecond);
  assert(old.it_value.tv_nsec > 0 && old.it_value.tv_nsec <= 10 * kMillisecond);

  // Its moment comes before the time limit of a poll, whatever comes after it.
  itimerspec second{{0, 0}, {1, 0}};
  assert(timerfd_settime(timer, 0, &second, &old) == 0);
  assert(old.it_interval.tv_nsec == 10 * kMillisecond);
  pollfd set{timer, POLLIN, 0};
  assert(poll(&set, 1, 500) == 0);
  assert(poll(&set, 1, 1000) == 1 && set.revents == POLLIN);
  assert(expirations(timer) == 1);

  // A moment of the clock, in the past: at once.
  itimerspec past{{0, 0}, {0, 1}};
  assert(timerfd_settime(timer, TFD_TIMER_ABSTIME, &past, nullptr) == 0);
  assert(poll(&set, 1, 0) == 1);
  // Setting it forgets what it has counted.
  assert(timerfd_settime(timer, 0, &second, nullptr) == 0);
  assert(poll(&set, 1, 0) == 0);
}

int main(int, char** arguments) {
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  assert(timer >= 0);
  if (std::strcmp(arguments[1], "race") == 0) race(timer);
  if (std::strcmp(arguments[1], "count") == 0) count(timer);
  if (std::strcmp(arguments[1], "disarmed") == 0) expirations(timer);
}

// A POSIX timer with SIGEV_THREAD: each expiry is a thread of its own, whenever its moment comes.
// One that is deleted or disarmed before that never comes.
//
// once: main loads (L), deletes the timer (D) and exits (X), which ends the rest where it stands.
// The timer's thread begins (b), stores, posts and ends.
//   no b before D: it never comes                                                1
//   b before L: k = 0..3 of its steps mix with L D, then X: 1 + 3 + 6 + 10      20
//   b between L and D: they mix with D alone: 1 + 2 + 3 + 4                     10
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --json %t.json --show-output %t once > %t.lines
// JSON: j["verdict"] == "passed" and j["executions"] == 31 and j["seconds"] < 5
// RUN: sort -u %t.lines | grep '^stored' | tr '\n' ';'
// OUT: ^stored 0;stored 1;$
// RUN: %heddle run --strategy dfs --json %t.json %t wait
// JSON: j["verdict"] == "passed" and j["seconds"] < 5
// RUN: %heddle run --executions 200 --json %t.json %t periodic
// JSON: j["failures"] == [] and j["executions"] > 1
// RUN: %heddle run %t signal
// EXIT: 2
// OUT: timer_create with a signal
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstring>

std::atomic<int> stored;
sem_t expired;

void on_expiry(sigval value) {
  stored = value.sival_int;
  sem_post(&expired);
}

int main(int, char** arguments) {
  const char* mode = arguments[1];
  sem_init(&expired, 0, 0);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = on_expiry;
  event.sigev_value.sival_int = 1;
  if (std::strcmp(mode, "signal") == 0) event.sigev_notify = SIGEV_SIGNAL;
  timer_t timer;
  assert(timer_create(12345, &event, &timer) == -1 && errno == EINVAL);
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  itimerspec hour{{0, 0}, {3600, 0}}, none{}, old{};
  timespec before{}, after{};
  clock_gettime(CLOCK_MONOTONIC, &before);
  assert(timer_settime(timer, 0, &hour, &old) == 0 && old.it_value.tv_sec == 0);
  if (std::strcmp(mode, "once") == 0) {
    int seen = stored;
    assert(timer_delete(timer) == 0);
    assert(timer_delete(timer) == -1 && errno == EINVAL);
    assert(write(1, seen != 0 ? "stored 1\n" : "stored 0\n", 9) == 9);
  } else if (std::strcmp(mode, "wait") == 0) {
    assert(timer_gettime(timer, &old) == 0);
    assert(old.it_value.tv_sec == 3599 || old.it_value.tv_sec == 3600 || old.it_value.tv_sec == 0);
    assert(sem_wait(&expired) == 0 && stored == 1);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec >= before.tv_sec + 3600);
    assert(timer_settime(timer, 0, &hour, nullptr) == 0);
    assert(timer_settime(timer, 0, &none, nullptr) == 0);  // disarmed
  } else {
    itimerspec periodic{{1, 0}, {1, 0}};
    assert(timer_settime(timer, 0, &periodic, nullptr) == 0);
    for (int i = 0; i < 3; ++i) assert(sem_wait(&expired) == 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec >= before.tv_sec + 3);
    assert(timer_delete(timer) == 0);
  }
}

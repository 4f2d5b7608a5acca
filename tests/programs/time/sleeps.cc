// Everything that serves as a sleep takes virtual time, and none of the machine's: 7 hours.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] == 1 and j["seconds"] < 5
// Two that sleep end in either order: each sleeper begins, sleeps, adds and ends; main joins both.
// RUN: %heddle run --strategy dfs --json %t.json --show-output %t two > %t.lines
// RUN: sort -u %t.lines | grep '^first' | tr '\n' ';'
// OUT: ^first 1;first 2;$
#include <poll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>
using namespace std::chrono;

std::atomic<int> first;

int main(int count, char**) {
  if (count > 1) {
    auto sleeper = [](int number) {
      timeval limit{number, 0};
      assert(select(0, nullptr, nullptr, nullptr, &limit) == 0);
      int none = 0;
      first.compare_exchange_strong(none, number);
    };
    std::thread a(sleeper, 1), b(sleeper, 2);
    a.join();
    b.join();
    assert(write(1, first == 1 ? "first 1\n" : "first 2\n", 8) == 8);
    return 0;
  }
  auto before = steady_clock::now();
  auto passed = [&](int so_many) { return steady_clock::now() - before >= hours(so_many); };
  assert(poll(nullptr, 0, 3600 * 1000) == 0 && passed(1) && !passed(2));
  timespec hour{3600, 0};
  assert(ppoll(nullptr, 0, &hour, nullptr) == 0 && passed(2) && !passed(3));
  timeval limit{3600, 0};
  assert(select(0, nullptr, nullptr, nullptr, &limit) == 0 && passed(3) && !passed(4));
  assert(limit.tv_sec == 0 && limit.tv_usec == 0);
  assert(pselect(0, nullptr, nullptr, nullptr, &hour, nullptr) == 0 && passed(4) && !passed(5));
  assert(nanosleep(&hour, nullptr) == 0 && passed(5) && !passed(6));
  timespec moment{};
  clock_gettime(CLOCK_REALTIME, &moment);
  moment.tv_sec += 3600;
  assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &moment, nullptr) == 0);
  assert(passed(6) && !passed(7));
  assert(sleep(1800) == 0 && usleep(1800u * 1000000) == 0 && passed(7) && !passed(8));
}

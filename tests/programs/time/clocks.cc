// Clocks show virtual time: the same in every execution, moved by sleeps, and a sleep of a year
// takes no time at all.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --preemptions none --json %t.json %t
// JSON: j["verdict"] == "passed" and j["seconds"] < 5
// TIMEOUT: 20
#include <sys/time.h>
#include <time.h>

#include <cassert>
#include <chrono>
#include <thread>
using namespace std::chrono;
int main() {
  assert(time(nullptr) == 1577836800);  // 2020-01-01 00:00:00 UTC
  auto steady = steady_clock::now();
  auto wall = system_clock::now();
  std::thread sleeper([] { std::this_thread::sleep_for(hours(24)); });
  std::this_thread::sleep_for(hours(24 * 365));
  assert(steady_clock::now() - steady >= hours(24 * 365));
  assert(system_clock::now() - wall >= hours(24 * 365));
  sleeper.join();
  timeval now;
  gettimeofday(&now, nullptr);
  assert(now.tv_sec >= 1577836800 + 365 * 24 * 3600);
  // A loop that waits for a clock, without any operation, ends.
  auto until = steady_clock::now() + milliseconds(1);
  while (steady_clock::now() < until) {
  }
}

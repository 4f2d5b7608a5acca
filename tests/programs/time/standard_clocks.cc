// Sleeps of the standard library on both clocks, and yields. A thread that sleeps until a moment
// finds that it has come.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --preemptions none --json %t.json --show-output %t > %t.lines
// JSON: j["verdict"] == "passed" and j["seconds"] < 20
// RUN: sort -u %t.lines | grep '^first' | tr '\n' ';'
// OUT: ^first steady;first system;$
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <cstring>
#include <thread>
using namespace std::chrono;

std::atomic<const char*> first = nullptr;

template <typename Clock>
void sleep(const char* name) {
  const auto begin = Clock::now();
  std::this_thread::sleep_until(begin + hours(1));
  assert(Clock::now() - begin >= hours(1));
  const char* nobody = nullptr;
  first.compare_exchange_strong(nobody, name);
}

int main() {
  timespec resolution;
  assert(clock_getres(CLOCK_MONOTONIC, &resolution) == 0 && resolution.tv_sec == 0);
  std::thread other([] { sleep<system_clock>("first system\n"); });
  sleep<steady_clock>("first steady\n");
  std::this_thread::yield();
  assert(sched_yield() == 0);
  other.join();
  assert(write(1, first.load(), std::strlen(first.load())) > 0);
}

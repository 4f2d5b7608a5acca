// notify_one may wake either waiter: both outcomes are explored. Timed waits end or time out: both
// are explored.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --preemptions none --depth 40 --json %t.json --show-output %t one > %t.lines
// RUN: sort -u %t.lines | grep '^first'
// OUT: first 1
// OUT: first 2
// RUN: %heddle run --preemptions none --json %t.json --show-output %t timed > %t.lines
// RUN: sort -u %t.lines | grep '^timed'
// OUT: timed ended
// OUT: timed out
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
std::mutex mutex;
std::condition_variable condition;
int waiting, permits, first;

void say(const char* line) { assert(write(1, line, std::strlen(line)) > 0); }

void wait_turn(int number) {
  std::unique_lock lock(mutex);
  ++waiting;
  condition.wait(lock, [] { return permits > 0; });
  --permits;
  if (first == 0) first = number;
}

void one() {
  std::thread a(wait_turn, 1), b(wait_turn, 2);
  for (int i = 0; i < 2; ++i) {
    std::lock_guard lock(mutex);
    ++permits;
    condition.notify_one();
  }
  a.join();
  b.join();
  say(first == 1 ? "first 1\n" : "first 2\n");
}

void timed() {
  std::thread notifier([] {
    std::lock_guard lock(mutex);
    permits = 1;
    condition.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    auto before = std::chrono::steady_clock::now();
    bool ended = condition.wait_for(lock, std::chrono::hours(1), [] { return permits > 0; });
    if (!ended) assert(std::chrono::steady_clock::now() - before >= std::chrono::hours(1));
    say(ended ? "timed ended\n" : "timed out\n");
  }
  notifier.join();
}

int main(int, char** arguments) { std::strcmp(arguments[1], "one") == 0 ? one() : timed(); }

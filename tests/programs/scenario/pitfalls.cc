// Where a script could lose executions, or have some that it does not describe: what the fair
// scheduler would not do, loops that end late, functions of the script's own, spurious wake-ups,
// exits, scopes that are left by an exception; or where it could have executions without an end: a
// thread that spins, let go to any point.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: for what in sleeps steps spurious scope; do %t $what; done
// OUT: ^passed: all executions of the script: 1 execution; .*\npassed: all executions of the script: 1 execution; .*\npassed: all executions of the script: 1 execution; .*\npassed: all executions of the script: 1 execution;
// RUN: %t open
// OUT: ^passed: all executions of the script: 1[1357] executions, 1 of them infeasible;
// RUN: %t named
// EXIT: 1
// OUT: assertion `first != 1' failed
// RUN: %t free
// EXIT: 1
// OUT: assertion `first != 1' failed
// RUN: %t helper
// EXIT: 1
// OUT: assertion `x == 0' failed
// RUN: %t exit
// EXIT: 1
// OUT: FAILED  unmet
// OUT: A exits the program before the script has ended
// RUN: %cxx -std=c++20 -O0 -g %s -o %t
// RUN: %t helper
// EXIT: 1
// OUT: assertion `x == 0' failed
#include <heddle/scenario.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

using namespace heddle::script;
using heddle::Script;

// Others could go while A sleeps again and again, but the script does not let them.
void sleeps(Script& s) {
  std::atomic<int> x{0};
  auto a = s.thread("A", [&] {
    for (int i = 0; i < 200; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    HEDDLE_YIELD("done");
    ++x;
  });
  auto b = s.thread("B", [&] { ++x; });
  s.transfer(a).until("done");
  s.transfer(b).until(end);
  s.transfer(a).until(end);
}

// B comes to its load before each of its yields, and goes round for ever. Five rounds, or
// some more until the registers are the same again, have two points each; then it is known that it
// was there before, and the execution that has stopped at none of them is infeasible.
void spins_anywhere(Script& s) {
  std::atomic<int> flag{0};
  auto a = s.thread("A", [&] { flag = 1; });
  auto b = s.thread("B", [&] {
    while (flag == 0) std::this_thread::yield();
  });
  s.transfer(b).until(any);
  s.transfer(a).until(end);
  s.transfer(b).until(end);
}

// More steps than a thread has in one turn: --yield-after.
void steps(Script& s) {
  std::atomic<int> x{0};
  auto a = s.thread("A", [&] {
    for (int i = 0; i < 700'000; ++i) ++x;
    HEDDLE_YIELD("done");
  });
  auto b = s.thread("B", [&] { ++x; });
  s.transfer(a).until("done");
  s.transfer(b).until(end);
  s.transfer(a).until(end);
}

// A has yielded, and B could not go: A need not stand behind it later.
void yields_first(Script& s, bool any_thread) {
  std::atomic<int> first{0};
  auto go = [&](int number) {
    int none = 0;
    first.compare_exchange_strong(none, number);
  };
  auto a = s.thread("A", [&] {
    for (int i = 0; i < 3; ++i) std::this_thread::yield();
    HEDDLE_YIELD("yielded");
    go(1);
  });
  auto b = s.thread("B", [&] { go(2); });
  s.thread("C", [&] { go(3); });
  s.transfer(a).until("yielded");
  if (any_thread) {
    s.transfer(any).until(end);
  } else {
    s.transfer(a, b).until(end);
  }
  HEDDLE_ASSERT(first != 1);
  while (!s.all_ended()) s.transfer(any).until(end);
}

// The function makes two transfers, not one again: after the first, A may be anywhere.
void helper(Script& s) {
  std::atomic<int> x{0};
  auto a = s.thread("A", [&] { x = 1, x = 0, x = 0; });
  auto go = [&](Thread thread) { s.transfer(thread).until(any); };
  go(a);
  HEDDLE_ASSERT(x == 0);
  go(a);
  if (!s.ended(a)) s.transfer(a).until(end);
}

// A could wake spuriously, but it is not A's turn.
void spurious(Script& s) {
  std::mutex mutex;
  std::condition_variable condition;
  bool is_ready = false;
  std::atomic<int> woke{0};
  auto a = s.thread("A", [&] {
    std::unique_lock lock(mutex);
    while (!is_ready) condition.wait(lock), ++woke;
  });
  auto b = s.thread("B", [&] {
    std::lock_guard lock(mutex);
    is_ready = true;
    condition.notify_one();
  });
  s.transfer(a).until(blocked);
  s.transfer(b).until(end);
  HEDDLE_ASSERT(woke == 0);
  s.transfer(a).until(end);
}

void scope(Script& s) {
  auto a = s.thread("A", [] {});
  auto b = s.thread("B", [] {});
  try {
    s.with(a, [&] {
      s.transfer(a).until(end);
      throw 1;
    });
  } catch (int) {
  }
  s.transfer(b).until(end);
}

void exits(Script& s) {
  auto a = s.thread("A", [] { std::exit(0); });
  s.transfer(a).until(end);
  HEDDLE_ASSERT(false);
}

int tell(const heddle::Report& report) {
  std::printf("%s", report.text().c_str());
  return report.exit_code();
}

int main(int, char** argv) {
  std::string what = argv[1];
  if (what == "sleeps") return tell(heddle::scenario(sleeps));
  if (what == "steps") return tell(heddle::scenario(steps));
  if (what == "open") return tell(heddle::scenario(spins_anywhere));
  if (what == "named") return tell(heddle::scenario([](Script& s) { yields_first(s, false); }));
  if (what == "free") return tell(heddle::scenario([](Script& s) { yields_first(s, true); }));
  if (what == "helper") return tell(heddle::scenario(helper));
  if (what == "spurious") return tell(heddle::scenario(spurious, heddle::Options{}.spurious()));
  if (what == "scope") return tell(heddle::scenario(scope));
  return tell(heddle::scenario(exits).exists());
}

// A function that was entered before the transfer is seen to return, also where it leaves that to
// the compiler's hook (GCC at -O2); and a count ends with a thread that is blocked, if that is
// named.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O0 -g %s -o %t
// RUN: %t
// OUT: ^passed: all executions of the script
// RUN: %cxx -std=c++20 -O2 -g %s -o %t
// RUN: %t
// OUT: ^passed: all executions of the script
#include <heddle/scenario.h>
#include <semaphore.h>

#include <atomic>
#include <cstdio>

using namespace heddle::script;

std::atomic<int> n;
sem_t go_on;

__attribute__((noinline)) void inner() {
  n = 1;
  n = 2;
}

__attribute__((noinline)) void outer() {
  inner();
  n = 3;
  sem_wait(&go_on);
  n = 4;
}

int main() {
  heddle::Report report = heddle::scenario([&](heddle::Script& s) {
    sem_init(&go_on, 0, 0);
    auto a = s.thread("A", outer);
    s.transfer(a).until(next).count(2);
    HEDDLE_ASSERT(n == 1);
    s.transfer(a).until(returns_from("inner"));
    HEDDLE_ASSERT(n == 2);
    s.transfer(a).until(next || blocked).count(100);
    HEDDLE_ASSERT(n == 3 && s.blocked(a));
    sem_post(&go_on);
    s.transfer(a).until(next || end).count(100);
    HEDDLE_ASSERT(n == 4 && s.ended(a));
  });
  std::printf("%s", report.text().c_str());
  return report.exit_code();
}

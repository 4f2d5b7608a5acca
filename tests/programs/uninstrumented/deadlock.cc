// A program that the plain compiler has built is controlled at its library calls: its deadlock is
// found, replayed, and what is left out is said.
// RUN: g++ -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run %t
// EXIT: 2
// OUT: was not built with heddle-c\+\+.*heddle run --uninstrumented
// RUN: %heddle run --uninstrumented --json %t.json --out %t.out %t
// EXIT: 1
// OUT: deadlock
// OUT: waits to lock mutex a, held by T1
// OUT: note: the program is not instrumented
// JSON: j["failures"][0]["kind"] == "deadlock" and j["coverage"]["accesses"] == "calls"
// RUN: %heddle replay --trust --times 20 %t.out/*-1.heddle
// EXIT: 1
// OUT: reproduced 20 times
// RUN: %heddle run --uninstrumented --strategy dfs --json %t.json %t same-order
// OUT: passed: all .* at library calls
// JSON: j["coverage"]["complete"] and j["executions"] == 10
// RUN: LD_PRELOAD=libm.so.6 %heddle run --uninstrumented --show-output --executions 1 --json %t.json %t show
// OUT: LD_PRELOAD is libm.so.6
// RUN: %heddle run --uninstrumented --show-output --executions 1 --json %t.json %t show
// OUT: LD_PRELOAD is not set
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
std::mutex a, b;
int main(int, char** arguments) {
  std::string how = arguments[1] != nullptr ? arguments[1] : "";
  if (how == "show") {
    const char* libraries = getenv("LD_PRELOAD");
    printf("LD_PRELOAD is %s\n", libraries != nullptr ? libraries : "not set");
    return 0;
  }
  std::thread other([] {
    std::lock_guard first(a);
    std::lock_guard second(b);
  });
  if (how == "same-order") {
    std::lock_guard first(a);
    std::lock_guard second(b);
  } else {
    std::lock_guard first(b);
    std::lock_guard second(a);
  }
  other.join();
}

// An assertion in the function of heddle::state is one about every state between two steps: here,
// that never both threads are inside. It fails, and the failure comes again.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs %t
// EXIT: 1
// OUT: FAILED  assertion in T1 at invariant.cc:20
// OUT: assertion `inside < 2' failed: 2 < 2, in the function given to heddle::state
// RUN: %heddle replay heddle-out/invariant-1.heddle
// EXIT: 1
// OUT: assertion `inside < 2' failed: 2 < 2, in the function given to heddle::state
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

std::atomic<int> inside;

int main() {
  heddle::state([] {
    HEDDLE_ASSERT(inside < 2);
    return inside.load();
  });
  auto pass = [] { ++inside, --inside; };
  std::thread other(pass);
  pass();
  other.join();
}

// What threads of a program that is not instrumented do to each other between their calls is not
// seen: the two locks have nothing to do with each other, and yet their order matters. So nothing
// is left out for it: neither by reduction nor by matching states.
// RUN: g++ -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --uninstrumented %t
// EXIT: 1
// OUT: FAILED  assertion
// RUN: %heddle run --uninstrumented --strategy backtrack %t
// EXIT: 1
// RUN: %heddle run --uninstrumented --reduce dpor %t
// EXIT: 2
// OUT: --reduce dpor needs to see what threads read and write
// RUN: %heddle run --uninstrumented --strategy dfs --match on %t
// EXIT: 2
// OUT: --match needs to see what threads read and write
#include <cassert>
#include <mutex>
#include <thread>

std::mutex first, second;
volatile int shared;

int main() {
  std::thread writer([] {
    std::lock_guard guard(first);
    shared = 1;
  });
  int seen;
  {
    std::lock_guard guard(second);
    seen = shared;
  }
  writer.join();
  assert(seen == 0);
}

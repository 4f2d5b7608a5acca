// Two threads take a random way each, and share nothing else: which way they go does not depend on
// who is first, so that reduction leaves one execution, and all others are equivalent to it. (Had
// they one generator for both, it would be wrong to leave the other order out.)
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --reduce dpor --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] == 1
// RUN: %heddle run --strategy dfs --reduce none --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] > 20 and j["distinct"] == 1
#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<int> x[2], y[2];

static void work(int number) {
  x[number] = 1;
  int way = rand() % 4;
  for (int i = 0; i < way; ++i) y[number]++;
}

int main() {
  std::thread a(work, 0), b(work, 1);
  a.join();
  b.join();
}

// With --spurious a weak compare-exchange that would succeed may fail, once in a row. A loop around
// one has 2 executions then, two loops one after the other 2 x 2; strong ones never fail so, nor
// does a weak one that fails anyway.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --json %t.json %t weak 1
// JSON: j["verdict"] == "passed" and j["executions"] == 1 and not j["coverage"]["spurious"]
// RUN: %heddle run --strategy dfs --spurious --json %t.json %t weak 1
// OUT: all schedules .* with spurious events: 2 executions
// JSON: j["verdict"] == "passed" and j["executions"] == 2 and j["coverage"]["spurious"]
// RUN: %heddle run --strategy dfs --spurious --json %t.json %t weak 2
// JSON: j["verdict"] == "passed" and j["executions"] == 4
// RUN: %heddle run --strategy dfs --spurious --json %t.json %t strong 3
// JSON: j["verdict"] == "passed" and j["executions"] == 1
// RUN: %heddle run --strategy dfs --spurious --json %t.json %t failing 3
// JSON: j["verdict"] == "passed" and j["executions"] == 1
// Who does not try again loses an update. The schedule says so by itself.
// RUN: %heddle run --strategy dfs --json %t.json %t once 1
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --strategy dfs --spurious --json %t.json --out %t.out %t once 1
// EXIT: 1
// OUT: compare-exchange count: 0, unchanged \(spuriously\)
// JSON: j["failures"][0]["kind"] == "assertion"
// RUN: %heddle replay --times 5 %t.out/*-1.heddle
// EXIT: 1
// OUT: reproduced 5 times, the same to the step
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <cstring>

std::atomic<int> count;

int main(int, char** arguments) {
  const char* mode = arguments[1];
  int times = std::atoi(arguments[2]);
  for (int i = 0; i < times; ++i) {
    int expected = i;
    if (std::strcmp(mode, "weak") == 0) {
      while (!count.compare_exchange_weak(expected, i + 1)) assert(expected == i);
    } else if (std::strcmp(mode, "strong") == 0) {
      assert(count.compare_exchange_strong(expected, i + 1));
    } else if (std::strcmp(mode, "failing") == 0) {
      expected = -1;
      assert(!count.compare_exchange_weak(expected, 1) && expected == 0);
    } else {
      count.compare_exchange_weak(expected, i + 1);
      assert(count == i + 1);
    }
  }
}

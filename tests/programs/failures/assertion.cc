// The control arm: natively the update is hardly ever lost; under Heddle it is, every time.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: test $(for i in $(seq 100); do %t 2> /dev/null && echo passed; done | wc -l) -ge 50
// RUN: %heddle run --json %t.json --out %t.out %t
// EXIT: 1
// OUT: assertion
// OUT: counter == 2
// OUT: counter: 0 -> 1
// JSON: j["failures"][0]["kind"] == "assertion" and j["failures"][0]["location"] == "assertion.cc:30"
// JSON: j["failures"][0]["preemptions"] <= 2 and j["failures"][0]["execution"] == j["executions"]
// RUN: %heddle replay --times 100 %t.out/*-1.heddle
// EXIT: 1
// RUN: %heddle run --strategy random --seed 7 --executions 100000 --json - %t
// EXIT: 1
// JSON: j["strategy"] == {**j["strategy"], "name": "random", "seed": 7}
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter;

void increase() { counter.store(counter.load() + 1); }

int main() {
  std::thread first(increase), second(increase);
  first.join();
  second.join();

  assert(counter == 2);
}

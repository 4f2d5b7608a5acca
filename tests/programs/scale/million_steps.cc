// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --executions 3 --json %t.json %t
// JSON: j["executions"] == 3 and j["max_steps"] > 1000000 and j["failures"] == []
// RUN: %heddle run --strategy random --executions 2 --json %t.json --out %t.out %t fail
// EXIT: 1
// JSON: j["max_steps"] > 1000000 and j["failures"][0]["kind"] == "assertion"
// RUN: %heddle replay %t.out/*-1.heddle
// EXIT: 1
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> count;
void work() {
  for (int i = 0; i < 500000; ++i) count.fetch_add(1);
}
int main(int argc, char**) {
  std::thread other(work);
  work();
  other.join();
  assert(count == 1000000 && argc == 1);
}

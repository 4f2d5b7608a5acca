// `_mm_pause` in the loop, two spinners, relaxed loads and a fence.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
// RUN: %heddle run --strategy dfs --preemptions 3 --json %t.json %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
#include <heddle/heddle.h>
#include <immintrin.h>

#include <atomic>
#include <thread>
std::atomic<int> stage;
int data;
void spin_until(int wanted) {
  while (stage.load(std::memory_order_relaxed) != wanted) _mm_pause();
  std::atomic_thread_fence(std::memory_order_acquire);
}
int main() {
  std::thread other([] {
    spin_until(1);
    data = 2;
    stage.store(2, std::memory_order_release);
  });
  data = 1;
  stage.store(1, std::memory_order_release);
  spin_until(2);
  HEDDLE_ASSERT(data == 2);
  other.join();
}

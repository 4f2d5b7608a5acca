// A test-and-test-and-set lock: it spins with loads, and exchanges when the lock looks free.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
// RUN: %heddle run --strategy dfs --preemptions 3 --json %t.json %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
#include <heddle/heddle.h>
#include <immintrin.h>

#include <atomic>
#include <thread>
class SpinLock {
 public:
  void lock() {
    while (held_.exchange(true, std::memory_order_acquire)) {
      while (held_.load(std::memory_order_relaxed)) _mm_pause();
    }
  }
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};
SpinLock lock;
int count;
void increase() {
  lock.lock();
  ++count;
  lock.unlock();
}
int main() {
  std::thread first(increase), second(increase);
  first.join();
  second.join();
  HEDDLE_ASSERT(count == 2);
}

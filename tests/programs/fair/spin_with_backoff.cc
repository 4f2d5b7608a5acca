// A lock with exponential back-off: each time that the exchange fails, twice as many pauses, up to
// a limit.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
// RUN: %heddle run --strategy dfs --json %t.json %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
#include <heddle/heddle.h>
#include <immintrin.h>

#include <atomic>
#include <thread>
class BackoffLock {
 public:
  void lock() {
    for (int pauses = 1; held_.exchange(true, std::memory_order_acquire);) {
      for (int i = 0; i < pauses; ++i) _mm_pause();
      if (pauses < 64) pauses *= 2;
    }
  }
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};
BackoffLock lock;
int count;
void increase() {
  lock.lock();
  ++count;
  lock.unlock();
}
int main() {
  std::thread other(increase);
  increase();
  other.join();
  HEDDLE_ASSERT(count == 2);
}

// A ticket lock: it spins until its number comes up.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
// RUN: %heddle run --strategy dfs --preemptions 3 --json %t.json %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
#include <heddle/heddle.h>

#include <atomic>
#include <thread>
class TicketLock {
 public:
  void lock() {
    unsigned mine = next_.fetch_add(1, std::memory_order_relaxed);
    while (serving_.load(std::memory_order_acquire) != mine) {
    }
  }
  void unlock() {
    serving_.store(serving_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

 private:
  std::atomic<unsigned> next_{0}, serving_{0};
};
TicketLock lock;
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

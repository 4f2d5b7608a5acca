// An event that is waited for by spinning a few times, and then by sleeping on a condition.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
// RUN: %heddle run --strategy dfs --preemptions 3 --json %t.json %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
#include <heddle/heddle.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
class Event {
 public:
  void set() {
    {
      std::lock_guard hold(lock_);
      set_.store(true);
    }
    changed_.notify_all();
  }
  void wait() {
    for (int spins = 0; spins < 3; ++spins) {
      if (set_.load()) return;
      std::this_thread::yield();
    }
    std::unique_lock hold(lock_);
    while (!set_.load()) changed_.wait(hold);
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  std::atomic<bool> set_{false};
};
Event event;
int data;
int main() {
  std::thread setter([] {
    data = 1;
    event.set();
  });
  event.wait();
  HEDDLE_ASSERT(data == 1);
  setter.join();
}

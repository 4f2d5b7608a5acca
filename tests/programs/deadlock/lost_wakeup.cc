// A notification without a predicate: lost if it comes before the wait.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: deadlock
// OUT: T1.*wait.*condition
// JSON: j["failures"][0]["kind"] == "deadlock"
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable condition;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    condition.wait(lock);
  });
  {
    std::lock_guard lock(mutex);
    condition.notify_one();
  }
  waiter.join();
}

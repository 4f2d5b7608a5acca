// A semaphore that spins, yielding twice, and then parks. It does not look again between counting
// itself among the sleepers and sleeping: a release that comes before it is counted, and after its
// last look, wakes nobody. That shows only if the thread runs on after its first yields: were it to
// give way at each of them, the release would have come before the last look.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: deadlock at .*lost_wakeup_after_yields.cc
// JSON: j["failures"][0]["kind"] == "deadlock"
// RUN: %heddle run --strategy dfs --preemptions 0 --json %t.json %t
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "deadlock"
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
class Semaphore {
 public:
  void acquire() {
    for (int spins = 0; spins < 2; ++spins) {
      if (take()) return;
      std::this_thread::yield();
    }
    std::unique_lock hold(lock_);
    sleepers_.fetch_add(1);
    woken_.wait(hold);
    sleepers_.fetch_sub(1);
  }
  void release() {
    count_.fetch_add(1);
    if (sleepers_.load() > 0) {
      std::lock_guard hold(lock_);
      if (take()) woken_.notify_one();
    }
  }

 private:
  bool take() {
    int one = 1;
    return count_.compare_exchange_strong(one, 0);
  }
  std::atomic<int> count_{0}, sleepers_{0};
  std::mutex lock_;
  std::condition_variable woken_;
};
Semaphore semaphore;
int main() {
  std::thread other([] { semaphore.release(); });
  semaphore.acquire();
  other.join();
}

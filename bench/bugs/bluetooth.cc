// The Bluetooth driver of Qadeer and Wu: requests count themselves while they are at work; to stop
// the driver waits until nobody is.
// program: bluetooth
// program: bluetooth-4: -DREQUESTS=3
// bug: assertion: a request that has seen the driver running counts itself too late, and works with
//   a driver that has stopped.
// aim: bluetooth: 10
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#ifndef REQUESTS
#define REQUESTS 1
#endif

class Driver {
 public:
  void request() {
    if (!enter()) return;
    assert(!stopped_);
    leave();
  }
  void stop() {
    stopping_ = true;
    leave();
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [&] { return is_idle_; });
    stopped_ = true;
  }

 private:
  bool enter() {
    if (stopping_) return false;
    ++pending_;
    return true;
  }
  void leave() {
    if (--pending_ > 0) return;
    std::lock_guard guard(mutex_);
    is_idle_ = true;
    idle_.notify_one();
  }

  std::atomic<int> pending_{1};  // one for the driver itself
  std::atomic<bool> stopping_{false};
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  std::condition_variable idle_;
  bool is_idle_ = false;
};

static Driver driver;

int main() {
  std::vector<std::thread> requests;
  for (int i = 0; i < REQUESTS; ++i) requests.emplace_back([] { driver.request(); });
  driver.stop();
  for (std::thread& request : requests) request.join();
}

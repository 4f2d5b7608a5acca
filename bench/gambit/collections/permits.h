// A semaphore that can be closed: who waits then gets what is still free, and no more.
#pragma once

#include <condition_variable>
#include <mutex>

namespace collections {

class Permits {
 public:
  explicit Permits(int free) : free_(free) {}

  // False if there is none, and there will be none.
  bool acquire() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return free_ > 0 || closed_; });
    if (free_ == 0) return false;
    --free_;
    return true;
  }

  void release() {
    std::lock_guard lock(mutex_);
    ++free_;
    changed_.notify_one();
  }

  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int free_;
  bool closed_ = false;
};

}  // namespace collections

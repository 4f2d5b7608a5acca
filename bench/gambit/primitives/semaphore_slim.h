// A counting semaphore. A permit that is free is taken without the lock; who finds none looks a few
// times, then takes the lock and sleeps.
#pragma once

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>

#include "seeded.h"

namespace primitives {

class SemaphoreSlim {
 public:
  explicit SemaphoreSlim(int permits) : permits_(permits) {}

  bool try_acquire() {
    int permits = permits_.load();
    while (permits > 0) {
      if (permits_.compare_exchange_strong(permits, permits - 1)) return true;
    }
    return false;
  }

  void acquire() {
    for (int looks = 0; looks < kLooks; ++looks) {
      if (try_acquire()) return;
    }
    std::unique_lock lock(mutex_);
    ++sleepers_;
    if (has_bug(4)) {
      // The lock does not keep out those who need no lock.
      while (permits_.load() <= 0) free_.wait(lock);
      permits_.fetch_sub(1);
    } else {
      while (!try_acquire()) free_.wait(lock);
    }
    --sleepers_;
  }

  void release(int permits = 1) {
    std::lock_guard lock(mutex_);
    int before = permits_.fetch_add(permits);
    assert(before >= 0);
    if (sleepers_ == 0) return;
    if (permits == 1) {
      free_.notify_one();
    } else {
      free_.notify_all();
    }
  }

 private:
  static constexpr int kLooks = 2;

  std::atomic<int> permits_;
  std::mutex mutex_;
  std::condition_variable free_;
  int sleepers_ = 0;  // under mutex_
};

}  // namespace primitives

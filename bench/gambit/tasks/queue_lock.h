// The lock of a work-stealing queue. It is taken rarely, and held for a moment.
#pragma once

#include <atomic>
#include <thread>

#include "seeded.h"

namespace tasks {

class QueueLock {
 public:
  void lock() {
    while (taken_.exchange(true)) {
      if (has_bug(1)) {
        std::this_thread::yield();
      } else {
        taken_.wait(true);
      }
    }
  }

  void unlock() {
    taken_.store(false);
    taken_.notify_one();
  }

 private:
  std::atomic<bool> taken_ = false;
};

}  // namespace tasks

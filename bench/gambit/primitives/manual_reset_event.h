// An event that stays set until it is reset. A waiter looks a few times before it takes the lock
// and sleeps, and whoever sets the event takes the lock only if somebody sleeps: one word holds the
// flag and the number of those who do.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "seeded.h"

namespace primitives {

class ManualResetEvent {
 public:
  explicit ManualResetEvent(bool is_set = false) : state_(is_set ? kSet : 0) {}

  bool is_set() const { return state_.load() & kSet; }

  void set() {
    state_.fetch_or(kSet);
    if ((state_.load() & kSleepers) == 0) return;
    std::lock_guard lock(mutex_);
    changed_.notify_all();
  }

  void reset() { state_.fetch_and(~kSet); }

  void wait() {
    for (int looks = 0; looks < kLooks; ++looks) {
      if (is_set()) return;
    }
    std::unique_lock lock(mutex_);
    while (!is_set()) {
      state_.fetch_add(1);
      // Who set the event before it could see a sleeper notifies nobody: look again.
      if (is_set()) {
        state_.fetch_sub(1);
        return;
      }
      changed_.wait(lock);
      if (has_bug(3)) {
        // The lock keeps out other sleepers, but not those who set and reset.
        std::uint32_t state = state_.load();
        state_.store(state - 1);
      } else {
        state_.fetch_sub(1);
      }
    }
  }

 private:
  static constexpr std::uint32_t kSet = 1u << 31;
  static constexpr std::uint32_t kSleepers = kSet - 1;
  static constexpr int kLooks = 2;

  std::atomic<std::uint32_t> state_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace primitives

// A lock for readers and writers in one word: the number of readers, and a bit for a writer. The
// seeded bug: a reader that is upgraded to a writer looks whether it is alone, and then takes the
// lock, whoever may have come in between.
#pragma once

#include <atomic>

#include "spin.h"

template <bool kBug>
class ReadWriteLock {
 public:
  void lock_shared() {
    for (;;) {
      int state = state_.load();
      if (state < kWriter && state_.compare_exchange_strong(state, state + 1)) return;
      spin();
    }
  }
  void unlock_shared() { --state_; }

  // From a reader to the writer, if there is no other reader.
  bool try_upgrade() {
    int alone = 1;
    if (!kBug) return state_.compare_exchange_strong(alone, kWriter);
    if (state_.load() != alone) return false;
    state_.store(kWriter);
    return true;
  }
  // From the writer to a reader.
  void downgrade() { state_.fetch_sub(kWriter - 1); }

 private:
  static constexpr int kWriter = 1000;
  std::atomic<int> state_{0};
};

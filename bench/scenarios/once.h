// Something that is done once, by whoever comes first; if it fails, it is tried again. The seeded
// bug: those who wait until another has tried do not look whether that succeeded.
#pragma once

#include <atomic>

#include "spin.h"

template <bool kBug>
class Once {
 public:
  template <typename Function>
  void call(Function function) {
    while (state_.load() != kDone) {
      int state = kNew;
      if (state_.compare_exchange_strong(state, kRunning)) {
        state_ = function() ? kDone : kNew;
        HEDDLE_YIELD("tried");
        continue;
      }
      while (state_.load() == kRunning) spin();
      if (kBug) return;
    }
  }

 private:
  enum { kNew, kRunning, kDone };
  std::atomic<int> state_{kNew};
};

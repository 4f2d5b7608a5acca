// A barrier that is used again and again, with something to be done at the end of each phase. The
// seeded bug: the last to arrive lets the others go before it has done that.
#pragma once

#include <atomic>

#include "spin.h"

template <bool kBug>
class PhaseBarrier {
 public:
  explicit PhaseBarrier(int threads) : threads_(threads) {}

  template <typename Function>
  void arrive_and_wait(Function at_end_of_phase) {
    int phase = phase_.load();
    if (++arrived_ == threads_) {
      arrived_ = 0;
      if (!kBug) at_end_of_phase();
      ++phase_;
      if (kBug) at_end_of_phase();
    }
    while (phase_.load() == phase) spin();
  }

 private:
  const int threads_;
  std::atomic<int> arrived_{0};
  std::atomic<int> phase_{0};
};

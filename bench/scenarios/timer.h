// A timer that can be cancelled and armed again. The seeded bug: the timer's state does not tell
// one arming from the next, so that one which is due fires another that is not.
#pragma once

#include <atomic>

template <bool kBug>
class Timer {
 public:
  void arm(int deadline) {
    deadline_ = deadline;
    state_ = (kBug ? 0 : state_.load() / 2 + 1) * 2 + kArmed;
  }
  // False: it has fired.
  bool cancel() {
    unsigned state = state_.load();
    return state % 2 == kArmed && state_.compare_exchange_strong(state, state - kArmed);
  }
  // Whether it fires.
  bool tick(int now) {
    unsigned state = state_.load();
    if (state % 2 != kArmed || deadline_ > now) return false;
    return state_.compare_exchange_strong(state, state - kArmed);
  }

  const std::atomic<unsigned>& state() const { return state_; }

 private:
  static constexpr unsigned kArmed = 1;
  std::atomic<unsigned> state_{0};
  std::atomic<int> deadline_{0};
};

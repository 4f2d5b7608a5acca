// A counted object. The seeded bug: who shares its reference reads the count and writes it back, so
// that two at a time count as one.
#pragma once

#include <atomic>

template <bool kBug>
class Counted {
 public:
  explicit Counted(int references) : count_(references) {}

  void share() {
    if (kBug) {
      int count = count_.load();
      count_.store(count + 1);
    } else {
      ++count_;
    }
  }
  void release() {
    if (--count_ == 0) is_alive_ = false;
  }

  bool is_alive() const { return is_alive_; }

 private:
  std::atomic<int> count_;
  std::atomic<bool> is_alive_{true};
};

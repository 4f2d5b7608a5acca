#pragma once

#include <atomic>

// A tally that threads add to.
class Tally {
 public:
  void add();            // at once
  void add_two_steps();  // loses updates
  int value() const { return value_; }

 private:
  std::atomic<int> value_{0};
};

// A work-stealing deque after Chase and Lev: its owner pushes and pops at the bottom, others steal
// at the top. The seeded bug: a thief reads the bottom before the top, so that it may take what the
// owner has popped without looking at the top.
#pragma once

#include <array>
#include <atomic>

template <bool kBug>
class StealingDeque {
 public:
  static constexpr int kNone = 0;

  void push(int item) {
    int bottom = bottom_.load();
    items_[bottom] = item;
    bottom_ = bottom + 1;
  }
  int pop() {
    int bottom = bottom_.load() - 1;
    bottom_ = bottom;
    int top = top_.load();
    if (top > bottom) {
      bottom_ = top;
      return kNone;
    }
    int item = items_[bottom];
    if (top < bottom) return item;
    bool is_mine = top_.compare_exchange_strong(top, top + 1);
    bottom_ = bottom + 1;
    return is_mine ? item : kNone;
  }
  int steal() {
    int early = bottom_.load();
    int top = top_.load();
    int bottom = kBug ? early : bottom_.load();
    if (top >= bottom) return kNone;
    int item = items_[top];
    return top_.compare_exchange_strong(top, top + 1) ? item : kNone;
  }

 private:
  std::array<std::atomic<int>, 8> items_{};
  std::atomic<int> top_{0};
  std::atomic<int> bottom_{0};
};

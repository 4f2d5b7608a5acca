// A buffer of a given size, with a lock and two conditions. The seeded bug: who has been woken does
// not look again whether there is something, although others may have taken it.
#pragma once

#include <heddle/heddle.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>

template <bool kBug>
class BoundedBuffer {
 public:
  explicit BoundedBuffer(size_t size) : size_(size) {}

  void put(int item) {
    std::unique_lock lock(mutex_);
    while (items_.size() == size_) not_full_.wait(lock);
    items_.push_back(item);
    not_empty_.notify_one();
  }
  int get() {
    std::unique_lock lock(mutex_);
    if (kBug) {
      if (items_.empty()) not_empty_.wait(lock);
    } else {
      while (items_.empty()) not_empty_.wait(lock);
    }
    HEDDLE_ASSERT(!items_.empty());
    int item = items_.front();
    items_.pop_front();
    not_full_.notify_one();
    return item;
  }

 private:
  const size_t size_;
  std::mutex mutex_;
  std::condition_variable not_full_;
  std::condition_variable not_empty_;
  std::deque<int> items_;
};

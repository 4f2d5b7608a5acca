// A queue with a limit: who adds waits for room, and who takes waits for an item, until adding is
// said to be complete and the last item has gone. One word holds whether it is, and how many are in
// the middle of an addition. Takers who wait are sent home by whoever sees first that nothing can
// come any more: the last to add, if the queue is empty then; or else the taker of the last item.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "permits.h"
#include "seeded.h"

namespace collections {

template <class T>
class BlockingCollection {
 public:
  explicit BlockingCollection(int limit) : room_(limit), occupied_(0) {}

  // False if adding is complete.
  bool add(T item) {
    if (!room_.acquire()) return false;
    if (!begin_adding()) {
      room_.release();
      return false;
    }
    {
      std::lock_guard lock(mutex_);
      items_.push_back(std::move(item));
      size_.fetch_add(1);
    }
    occupied_.release();
    if (adders_.fetch_sub(1) == (kComplete | 1)) end_adding(size_.load() == 0);
    return true;
  }

  // Nothing if adding is complete, and all has been taken.
  std::optional<T> take() {
    if (!occupied_.acquire()) return std::nullopt;
    std::optional<T> item;
    {
      std::lock_guard lock(mutex_);
      item = std::move(items_.front());
      items_.pop_front();
      size_.fetch_sub(1);
    }
    if (adders_.load() == kComplete && size_.load() == 0) occupied_.close();
    room_.release();
    return item;
  }

  void complete_adding() {
    bool empty = size_.load() == 0;
    std::uint32_t before = adders_.fetch_or(kComplete);
    if (before & kComplete) return;
    room_.close();
    if (!has_bug(3)) empty = size_.load() == 0;
    if (before == 0) end_adding(empty);
  }

 private:
  static constexpr std::uint32_t kComplete = 1u << 31;

  bool begin_adding() {
    std::uint32_t adders = adders_.load();
    do {
      if (adders & kComplete) return false;
    } while (!adders_.compare_exchange_strong(adders, adders + 1));
    return true;
  }

  void end_adding(bool empty) {
    if (empty) occupied_.close();
  }

  Permits room_;
  Permits occupied_;
  std::atomic<std::uint32_t> adders_ = 0;
  std::mutex mutex_;
  std::deque<T> items_;        // under mutex_
  std::atomic<int> size_ = 0;  // of items_; changed under mutex_
};

}  // namespace collections

// One call of parallel_do: actions, each of which is run once by whoever claims it, the caller or
// one of the helpers that have joined it. The call is over when its actions have been claimed and
// all helpers have left it.
#pragma once

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "seeded.h"

namespace parallel {

using Action = std::function<long()>;

class Invocation {
 public:
  explicit Invocation(std::span<const Action> actions)
      : actions_(actions), begun_(actions.size()), unfinished_(actions.size()) {}

  // For the helpers' thread: before the caller can know that nobody else will come.
  void join() {
    std::lock_guard lock(mutex_);
    ++helpers_;
  }

  void help_and_leave() {
    Share share = take_part();
    if (!has_bug(2)) hand_over(share.error);
    {
      std::lock_guard lock(mutex_);
      sum_ += share.sum;
      --helpers_;
      changed_.notify_one();
    }
    if (has_bug(2)) hand_over(share.error);
  }

  // For the caller.
  long finish(const std::function<void()>& take_no_more_helpers) {
    Share share = take_part();
    take_no_more_helpers();
    hand_over(share.error);
    std::unique_lock lock(mutex_);
    sum_ += share.sum;
    changed_.wait(lock, [&] { return has_bug(3) ? unfinished_ == 0 : helpers_ == 0; });
    if (error_) std::rethrow_exception(error_);
    return sum_;
  }

 private:
  // What one thread has done.
  struct Share {
    long sum = 0;
    std::exception_ptr error;
  };

  std::size_t claim() {
    if (!has_bug(1)) return next_.fetch_add(1);
    std::size_t next = next_.load();
    next_.store(next + 1);
    return next;
  }

  Share take_part() {
    Share share;
    for (std::size_t i = claim(); i < actions_.size(); i = claim()) {
      bool begun = begun_[i].exchange(true);
      assert(!begun);
      try {
        share.sum += actions_[i]();
      } catch (...) {
        share.error = std::current_exception();
      }
      std::lock_guard lock(mutex_);
      if (--unfinished_ == 0) changed_.notify_one();
    }
    return share;
  }

  void hand_over(std::exception_ptr error) {
    if (!error) return;
    std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
  }

  const std::span<const Action>
      actions_;  // the caller's; nobody looks at them once all are claimed
  std::vector<std::atomic<bool>> begun_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t unfinished_;    // this and what follows is under mutex_
  int helpers_ = 0;           // that have joined and not left
  long sum_ = 0;              // of what has been run by those who have left
  std::exception_ptr error_;  // the first
};

}  // namespace parallel

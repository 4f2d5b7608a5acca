// Runs actions beside each other: by the caller, and by helpers that have nothing else to do.
// Actions may themselves call it.
#pragma once

#include <condition_variable>
#include <deque>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "invocation.h"

namespace parallel {

class Helpers {
 public:
  explicit Helpers(int helpers) {
    for (int i = 0; i < helpers; ++i) threads_.emplace_back([&] { help(); });
  }

  ~Helpers() {
    {
      std::lock_guard lock(mutex_);
      stopped_ = true;
      changed_.notify_all();
    }
    for (std::thread& thread : threads_) thread.join();
  }

  // The sum of what the actions give; an exception that one of them has thrown, if any has.
  long parallel_do(std::initializer_list<Action> actions) {
    auto invocation = std::make_shared<Invocation>(actions);
    offer(invocation);
    return invocation->finish([&] { withdraw(invocation); });
  }

 private:
  using Offer = std::shared_ptr<Invocation>;

  void offer(const Offer& invocation) {
    std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < threads_.size(); ++i) offers_.push_back(invocation);
    changed_.notify_all();
  }

  void withdraw(const Offer& invocation) {
    std::lock_guard lock(mutex_);
    std::erase(offers_, invocation);
  }

  void help() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return stopped_ || !offers_.empty(); });
      if (offers_.empty()) return;
      Offer invocation = std::move(offers_.back());
      offers_.pop_back();
      invocation->join();
      lock.unlock();
      invocation->help_and_leave();
      invocation.reset();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Offer> offers_;  // under mutex_; the latest is the last
  bool stopped_ = false;      // under mutex_
  std::vector<std::thread> threads_;
};

}  // namespace parallel

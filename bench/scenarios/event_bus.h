// Subscribers that are called when something happens; when unsubscribe() has returned, they are not
// called any more. The seeded bug: a call is counted as under way after the subscribers have been
// looked up, so that unsubscribe() does not wait for it.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include "spin.h"

template <bool kBug>
class EventBus {
 public:
  void subscribe(int id, std::function<void()> callback) {
    std::lock_guard lock(mutex_);
    subscribers_[id] = std::move(callback);
  }
  void unsubscribe(int id) {
    {
      std::lock_guard lock(mutex_);
      subscribers_.erase(id);
    }
    while (under_way_.load() != 0) spin();
  }
  void publish() {
    if (!kBug) ++under_way_;
    std::map<int, std::function<void()>> subscribers;
    {
      std::lock_guard lock(mutex_);
      subscribers = subscribers_;
    }
    if (kBug) ++under_way_;
    for (const auto& [id, callback] : subscribers) callback();
    --under_way_;
  }

 private:
  std::mutex mutex_;
  std::map<int, std::function<void()>> subscribers_;
  std::atomic<int> under_way_{0};
};

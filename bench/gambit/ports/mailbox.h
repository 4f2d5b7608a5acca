// A mailbox: a port whose taker waits for the next message.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace ports {

// Messages that went through mailboxes, all together.
inline std::atomic<long> delivered{0};

template <class T>
class Mailbox {
 public:
  // With the lock to the end: who takes the message may destroy the mailbox.
  void put(T message) {
    std::lock_guard lock(mutex_);
    messages_.push_back(std::move(message));
    filled_.notify_one();
  }

  T take() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return !messages_.empty(); });
    T message = std::move(messages_.front());
    messages_.pop_front();
    delivered.fetch_add(1);
    return message;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<T> messages_;
};

}  // namespace ports

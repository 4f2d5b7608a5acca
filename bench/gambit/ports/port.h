// A port: a queue of messages, and the courier that carries them to a handler.
//
// The poster that finds the port empty sends the courier, a task, which takes messages until the
// port is empty again. So a port that is not empty has a courier on its way.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "dispatcher.h"
#include "seeded.h"

namespace ports {

template <class T>
class Port {
 public:
  // True if the port was empty before.
  bool enqueue(T message) {
    bool was_empty = size_.load() == 0;
    std::lock_guard lock(mutex_);
    if (!has_bug(6)) was_empty = messages_.empty();
    messages_.push_back(std::move(message));
    size_.store(messages_.size());
    return was_empty;
  }

  std::optional<T> try_dequeue() {
    std::lock_guard lock(mutex_);
    if (messages_.empty()) return std::nullopt;
    T message = std::move(messages_.front());
    messages_.pop_front();
    size_.store(messages_.size());
    return message;
  }

  size_t size() const { return size_.load(); }

 private:
  std::mutex mutex_;
  std::deque<T> messages_;
  std::atomic<size_t> size_{0};  // for those who do not want to lock
};

// Carries the messages of a port to a handler. It may be called by several threads at a time: while
// it handles the last message another may be posted.
template <class T>
class Courier {
 public:
  using Handler = std::function<void(T)>;

  Courier(Dispatcher& dispatcher, Handler handler)
      : dispatcher_(dispatcher), handler_(std::move(handler)) {}

  void post(T message) {
    if (port_.enqueue(std::move(message))) dispatcher_.schedule([this] { carry(); });
  }

 private:
  void carry() {
    while (std::optional<T> message = port_.try_dequeue()) handler_(std::move(*message));
  }

  Dispatcher& dispatcher_;
  Handler handler_;
  Port<T> port_;
};

}  // namespace ports

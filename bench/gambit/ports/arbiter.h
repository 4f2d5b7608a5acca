// Decides what becomes of the messages of a port: they wait until the arbiter is activated; from
// then on each is handled at once, in a task of the dispatcher.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <utility>

#include "dispatcher.h"
#include "port.h"
#include "seeded.h"

namespace ports {

template <class T>
class Arbiter {
 public:
  using Handler = std::function<void(T)>;

  Arbiter(Dispatcher& dispatcher, Handler handler)
      : dispatcher_(dispatcher), handler_(std::move(handler)) {}

  void post(T message) {
    if (is_active_.load()) {
      handle(std::move(message));
      return;
    }
    waiting_.enqueue(std::move(message));
    // If it was activated meanwhile, that may have been too early to see the message.
    if (!has_bug(5) && is_active_.load()) handle_waiting();
  }

  void activate() {
    is_active_.store(true);
    handle_waiting();
  }

 private:
  void handle(T message) {
    dispatcher_.schedule([this, message] { handler_(message); });
  }

  void handle_waiting() {
    while (std::optional<T> message = waiting_.try_dequeue()) handle(std::move(*message));
  }

  Dispatcher& dispatcher_;
  const Handler handler_;
  std::atomic<bool> is_active_{false};
  Port<T> waiting_;
};

}  // namespace ports

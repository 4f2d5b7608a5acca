// Carries the messages of a port to a handler.
//
// The poster that finds the port empty sends the courier, a task of the dispatcher, which takes
// messages until the port is empty again. So a port that is not empty has a courier on its way.
// There may be several for a moment: while one handles the last message another may be posted.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "dispatcher.h"
#include "port.h"

namespace ports {

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
  const Handler handler_;
  Port<T> port_;
};

}  // namespace ports

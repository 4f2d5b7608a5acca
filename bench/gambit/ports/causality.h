// A causality: a message, those that are posted while it is handled, and so on. It is closed when
// nothing is left in it. Who enters a closed one yields until its owner opens it again.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <utility>

#include "dispatcher.h"
#include "seeded.h"

namespace ports {

class Causality {
 public:
  using Handler = std::function<void()>;

  explicit Causality(Dispatcher& dispatcher) : dispatcher_(dispatcher) {}

  // The owner is in it itself, from here to its leave().
  void open() { inside_.store(1); }

  bool is_closed() const { return inside_.load() == 0; }

  void leave() { inside_.fetch_sub(1); }

  // From the outside.
  void begin(Handler handler) {
    if (!has_bug(2)) enter();
    schedule(std::move(handler));
    if (has_bug(2)) enter();
  }

  // From a handler of this causality.
  void post(Handler handler) {
    enter();
    schedule(std::move(handler));
  }

 private:
  void enter() {
    int inside = inside_.load();
    do {
      while (inside == 0) {
        std::this_thread::yield();
        inside = inside_.load();
      }
    } while (!inside_.compare_exchange_weak(inside, inside + 1));
  }

  void schedule(Handler handler) {
    dispatcher_.schedule([this, handler = std::move(handler)] {
      handler();
      leave();
    });
  }

  Dispatcher& dispatcher_;
  std::atomic<int> inside_{0};  // 0: closed
};

}  // namespace ports

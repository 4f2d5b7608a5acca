// Tasks that wait for messages in the middle: coroutines. One that waits holds no thread; the
// message that it waits for schedules the rest of it.
#pragma once

#include <atomic>
#include <coroutine>
#include <exception>
#include <thread>
#include <utility>

#include "dispatcher.h"
#include "seeded.h"

namespace ports {

// What a coroutine returns; begun by start(), and to be waited for before it goes.
class Iterator {
 public:
  struct promise_type {
    // The last that the coroutine does: from then on it may be destroyed.
    struct Last {
      bool await_ready() noexcept { return false; }
      void await_suspend(std::coroutine_handle<promise_type> self) noexcept {
        self.promise().is_done.store(true);
      }
      void await_resume() noexcept {}
    };

    Iterator get_return_object() {
      return Iterator(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    Last final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }

    std::atomic<bool> is_done{false};
  };

  Iterator(const Iterator&) = delete;
  Iterator& operator=(const Iterator&) = delete;
  ~Iterator() { handle_.destroy(); }

  void start(Dispatcher& dispatcher) {
    dispatcher.schedule([handle = handle_] { handle.resume(); });
  }

  void wait() {
    while (!handle_.promise().is_done.load()) std::this_thread::yield();
  }

 private:
  explicit Iterator(std::coroutine_handle<promise_type> handle) : handle_(handle) {}

  std::coroutine_handle<promise_type> handle_;
};

// A place for one message, for which one iterator can wait: co_await slot.
template <class T>
class Slot {
 public:
  explicit Slot(Dispatcher& dispatcher) : dispatcher_(dispatcher) {}

  void put(T message) {
    message_ = std::move(message);
    if (state_.exchange(State::kFull) != State::kAwaited) return;
    dispatcher_.schedule([waiter = waiter_] { waiter.resume(); });
  }

  auto operator co_await() {
    struct Waiting {
      bool await_ready() { return slot.state_.load() == State::kFull; }
      bool await_suspend(std::coroutine_handle<> waiter) { return slot.await(waiter); }
      T await_resume() { return std::move(slot.message_); }
      Slot& slot;
    };
    return Waiting{*this};
  }

 private:
  enum class State { kEmpty, kAwaited, kFull };

  // False if the message has come meanwhile: the iterator then goes on.
  bool await(std::coroutine_handle<> waiter) {
    waiter_ = waiter;
    if (has_bug(1)) {
      state_.store(State::kAwaited);
      return true;
    }
    State state = State::kEmpty;
    return state_.compare_exchange_strong(state, State::kAwaited);
  }

  Dispatcher& dispatcher_;
  std::atomic<State> state_{State::kEmpty};
  T message_{};                       // of whoever fills the slot, then of the iterator
  std::coroutine_handle<> waiter_{};  // of the iterator, then of whoever fills the slot
};

}  // namespace ports

// Tasks of a dispatcher, with a limit on how many wait to be run. Who submits another yields until
// there is room. A task can be cancelled while it waits.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include "dispatcher.h"
#include "seeded.h"

namespace ports {

class Throttle {
 public:
  class Task {
    friend class Throttle;
    enum class State { kWaiting, kTaken, kCancelled };
    std::atomic<State> state{State::kWaiting};
    std::function<void()> body;
  };

  Throttle(Dispatcher& dispatcher, size_t limit) : dispatcher_(dispatcher), limit_(limit) {}

  std::shared_ptr<Task> submit(std::function<void()> body) {
    auto task = std::make_shared<Task>();
    task->body = std::move(body);
    size_t waiting = waiting_.load();
    do {
      while (waiting >= limit_) {
        std::this_thread::yield();
        waiting = waiting_.load();
      }
    } while (!waiting_.compare_exchange_weak(waiting, waiting + 1));
    dispatcher_.schedule([this, task] {
      if (leave(*task, Task::State::kTaken)) task->body();
    });
    return task;
  }

  // True if the task will not run.
  bool cancel(Task& task) {
    if (!has_bug(4)) return leave(task, Task::State::kCancelled);
    if (task.state.load() != Task::State::kWaiting) return false;
    task.state.store(Task::State::kCancelled);
    waiting_.fetch_sub(1);
    return true;
  }

 private:
  // For whoever is first to take the task from those that wait.
  bool leave(Task& task, Task::State to) {
    Task::State state = Task::State::kWaiting;
    if (!task.state.compare_exchange_strong(state, to)) return false;
    waiting_.fetch_sub(1);
    return true;
  }

  Dispatcher& dispatcher_;
  const size_t limit_;
  std::atomic<size_t> waiting_{0};
};

}  // namespace ports

// A pool of threads with a queue of tasks. The seeded bug: a worker counts itself as busy after it
// has left the lock under which it took its task, so that the pool looks idle in between.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

template <bool kBug>
class ThreadPool {
 public:
  explicit ThreadPool(int workers) {
    for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
  }
  ~ThreadPool() {
    stop();
    for (std::thread& worker : workers_) worker.join();
  }

  void submit(std::function<void()> task) {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    has_task_.notify_one();
  }
  // Until all tasks have been done.
  void wait_idle() {
    std::unique_lock lock(mutex_);
    is_idle_.wait(lock, [&] { return tasks_.empty() && busy_ == 0; });
  }
  void stop() {
    std::lock_guard lock(mutex_);
    is_stopped_ = true;
    has_task_.notify_all();
  }

  const std::atomic<int>& busy() const { return busy_; }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      has_task_.wait(lock, [&] { return is_stopped_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      if (!kBug) ++busy_;
      lock.unlock();
      if (kBug) ++busy_;
      task();
      lock.lock();
      --busy_;
      is_idle_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable has_task_;
  std::condition_variable is_idle_;
  std::deque<std::function<void()>> tasks_;
  std::atomic<int> busy_{0};
  bool is_stopped_ = false;
  std::vector<std::thread> workers_;
};

// A thread pool that runs what was submitted and is then shut down.
// program: thread_pool
// bug: deadlock: the order to stop is given without the lock, so that a worker that is about to
//   sleep misses it.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class ThreadPool {
 public:
  explicit ThreadPool(int workers) {
    for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
  }
  void submit(std::function<void()> task) {
    std::lock_guard guard(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_one();
  }
  void shut_down() {
    stopping_ = true;
    changed_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

 private:
  void work() {
    while (true) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !tasks_.empty() || stopping_; });
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> workers_;
};

int main() {
  std::atomic<int> done{0};
  ThreadPool pool(2);
  for (int i = 0; i < 3; ++i) pool.submit([&] { ++done; });
  pool.shut_down();
  assert(done == 3);
}

// Replicated Workers: a coordinator and five workers that take tasks from a pool; a task is done at
// once, or split into two that go back to the pool. The computation is over when the pool is empty
// and nobody has a task.
// program: Replicated Workers
// threads: 6
// bug: assertion: a worker that has taken a task counts itself as busy in another critical section,
//   and the coordinator may find the pool empty and nobody busy between.
#include <heddle/heddle.h>

#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kWorkers = 5;
constexpr int kNumbers = 4;  // the computation: their sum
constexpr int kMaxTasks = 8;

// Numbers to be added: from begin to end - 1.
struct Task {
  int begin = 0;
  int end = 0;

  bool is_small() const { return end - begin == 1; }
};

// What the workers have computed.
class Results {
 public:
  void add(int value) {
    std::lock_guard guard(mutex_);
    HEDDLE_ASSERT(!closed_);
    sum_ += value;
  }
  int close() {
    std::lock_guard guard(mutex_);
    closed_ = true;
    return sum_;
  }

 private:
  std::mutex mutex_;
  int sum_ = 0;
  bool closed_ = false;
};

class Pool {
 public:
  void put(Task task) {
    std::lock_guard guard(mutex_);
    HEDDLE_ASSERT(!finished_);
    tasks_[count_++] = task;
    changed_.notify_all();
  }

  // False if the computation is over.
  bool take(Task& task) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ > 0 || finished_; });
    if (finished_) return false;
    task = tasks_[--count_];
    return true;
  }

  void begin_task() {
    std::lock_guard guard(mutex_);
    ++busy_;
  }

  void end_task() {
    std::lock_guard guard(mutex_);
    --busy_;
    if (busy_ == 0 && count_ == 0) changed_.notify_all();
  }

  // Waits until there is no task, and lets the workers go.
  void finish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ == 0 && busy_ == 0; });
    finished_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<Task, kMaxTasks> tasks_;
  int count_ = 0;
  int busy_ = 0;
  bool finished_ = false;
};

// All begin together, when each worker is ready.
class Start {
 public:
  void arrive() {
    std::lock_guard guard(mutex_);
    if (++ready_ == kWorkers) all_ready_.notify_one();
  }
  void wait_for_all() {
    std::unique_lock lock(mutex_);
    all_ready_.wait(lock, [&] { return ready_ == kWorkers; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_ready_;
  int ready_ = 0;
};

static Pool pool;
static Results results;
static Start start;

static void execute(Task task) {
  if (task.is_small()) {
    results.add(task.begin);
    return;
  }
  int middle = (task.begin + task.end) / 2;
  pool.put({task.begin, middle});
  pool.put({middle, task.end});
}

static void work() {
  start.arrive();
  Task task;
  while (pool.take(task)) {
    pool.begin_task();
    execute(task);
    pool.end_task();
  }
}

static void coordinate() {
  start.wait_for_all();
  pool.put({0, kNumbers});
  pool.finish();
  HEDDLE_ASSERT(results.close() == kNumbers * (kNumbers - 1) / 2);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kWorkers; ++i) threads.emplace_back(work);
  threads.emplace_back(coordinate);
  for (std::thread& thread : threads) thread.join();
}

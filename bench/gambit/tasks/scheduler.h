// Tasks that spawn tasks, and a result that they add up. A task is complete when it has run and all
// those that it has spawned are complete; it then adds its result to that of the one that spawned
// it.
#pragma once

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "idle_workers.h"
#include "seeded.h"
#include "work_stealing_queue.h"

namespace tasks {

class Context;
using Body = std::function<void(Context&)>;

struct Task {
  Task(Task* parent, Body body) : parent(parent), body(std::move(body)) {}

  Task* const parent;
  const Body body;
  std::atomic<bool> has_run = false;
  std::atomic<int> open = 1;  // itself until it has run, and children that are not complete
  std::atomic<long> result = 0;
};

class Scheduler {
 public:
  explicit Scheduler(int workers) : workers_(workers) {
    for (Worker& worker : workers_) worker.thread = std::thread([&] { work(worker); });
  }

  ~Scheduler() {
    idle_.stop();
    for (Worker& worker : workers_) worker.thread.join();
  }

  // The result of `body` and all that it spawns.
  long run(Body body) {
    Task& root = root_task_.emplace(nullptr, std::move(body));
    root_.store(&root);
    idle_.work_has_come();
    std::unique_lock lock(mutex_);
    root_is_complete_.wait(lock, [&] { return complete_; });
    return root.result.load();
  }

  // Tasks that look for it do no more.
  void cancel() { cancelled_.store(true); }

 private:
  friend class Context;

  struct Worker {
    WorkStealingQueue<Task> queue;
    std::deque<Task> tasks;  // those that it has spawned; they stay
    std::thread thread;
  };

  void work(Worker& me) {
    do {
      while (Task* task = find_task(me)) execute(me, *task);
    } while (idle_.sleep([&] { return sees_work(); }));
  }

  Task* find_task(Worker& me) {
    if (Task* task = me.queue.pop()) return task;
    if (Task* task = take_root()) return task;
    for (Worker& other : workers_) {
      if (&other == &me) continue;
      if (Task* task = other.queue.steal()) return task;
    }
    return nullptr;
  }

  Task* take_root() {
    Task* root = root_.load();
    if (!root) return nullptr;
    if (!has_bug(3)) return root_.exchange(nullptr);
    root_.store(nullptr);
    return root;
  }

  bool sees_work() const {
    for (const Worker& worker : workers_) {
      if (!worker.queue.empty()) return true;
    }
    return root_.load();
  }

  void execute(Worker& me, Task& task);

  void spawn(Worker& me, Task& parent, Body body) {
    Task& child = me.tasks.emplace_back(&parent, std::move(body));
    if (!has_bug(6)) parent.open.fetch_add(1);
    me.queue.push(&child);
    if (has_bug(6)) parent.open.fetch_add(1);
    idle_.work_has_come();
  }

  // One thing less is open in `task`; it may have been the last.
  void close(Task& task) {
    if (task.open.fetch_sub(1) == 1) complete(task);
  }

  void complete(Task& task) {
    long result = task.result.load();
    if (!task.parent) {
      std::lock_guard lock(mutex_);
      complete_ = true;
      root_is_complete_.notify_one();
    } else if (has_bug(5)) {
      bool was_last = task.parent->open.fetch_sub(1) == 1;
      task.parent->result.fetch_add(result);
      if (was_last) complete(*task.parent);
    } else {
      task.parent->result.fetch_add(result);
      close(*task.parent);
    }
  }

  std::vector<Worker> workers_;
  std::optional<Task> root_task_;      // it stays, as all others
  std::atomic<Task*> root_ = nullptr;  // until a worker has taken it
  std::atomic<bool> cancelled_ = false;
  IdleWorkers idle_;
  std::mutex mutex_;
  std::condition_variable root_is_complete_;
  bool complete_ = false;  // under mutex_
};

// What a task may do while it runs.
class Context {
 public:
  void spawn(Body body) { scheduler_.spawn(worker_, task_, std::move(body)); }
  void give(long result) { task_.result.fetch_add(result); }
  bool is_cancelled() const { return scheduler_.cancelled_.load(); }

 private:
  friend class Scheduler;
  Context(Scheduler& scheduler, Scheduler::Worker& worker, Task& task)
      : scheduler_(scheduler), worker_(worker), task_(task) {}

  Scheduler& scheduler_;
  Scheduler::Worker& worker_;
  Task& task_;
};

inline void Scheduler::execute(Worker& me, Task& task) {
  bool has_run = task.has_run.exchange(true);
  assert(!has_run);
  Context context(*this, me, task);
  task.body(context);
  close(task);
}

}  // namespace tasks

// Figure 7 of the paper: during shutdown the group has been stopped and the worker has not; the
// worker then spins without yielding.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --good-samaritan error --json %t.json %t
// EXIT: 1
// OUT: FAILED  good-samaritan in T1 at .*idle_worker.cc
// OUT: in Worker::run\(\)
// OUT: The cycle: 4 steps
// JSON: j["failures"][0]["kind"] == "good-samaritan"
// RUN: %heddle replay heddle-out/*.heddle
// EXIT: 1
// OUT: good-samaritan
#include <atomic>
#include <thread>

struct WorkerGroup {
  std::atomic<bool> stop{false};
  // No work is to be found.
  int idle() {
    while (!stop.load()) std::this_thread::yield();
    return 0;
  }
};

struct Worker {
  void run() {
    while (!stop.load()) {
      while (!stop.load() && task != 0) --task;
      if (!stop.load()) task = group.idle();
    }
  }
  WorkerGroup& group;
  std::atomic<bool> stop{false};
  int task = 1;
};

int main() {
  WorkerGroup group;
  Worker worker{group};
  std::thread thread([&] { worker.run(); });
  group.stop.store(true);
  worker.stop.store(true);
  thread.join();
}

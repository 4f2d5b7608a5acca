// A task that is cancelled is freed, and then used all the same, since a return was forgotten. The
// second queue is closed when its task has ended.
#include <atomic>
#include <thread>

struct Task {
  int weight = 1;
};

static std::atomic<bool> cancelled{false};
static std::atomic<bool> closed{false};
static std::atomic<int> sum{0};

static void drain() {
  Task* task = new Task;
  if (cancelled.load()) delete task;
  sum += task->weight;
  if (!cancelled.load()) delete task;
}

static void drain_second() {
  Task* task = new Task;
  if (closed.load()) delete task;
  sum += task->weight;
  if (!closed.load()) delete task;
}

int main() {
  std::thread second(drain_second);
  second.join();
  closed.store(true);
  std::thread first(drain);
  cancelled.store(true);
  first.join();
  return sum >= 1 ? 0 : 1;
}

// No race: Chase and Lev's deque, whose owner releases a task through bottom; one steal.
#include <atomic>
#include <thread>

struct Task {
  int value;
} tasks[2];
std::atomic<Task*> cells[2];
std::atomic<int> top, bottom;
int stolen, own;

void push(Task* task) {
  int at = bottom.load(std::memory_order_relaxed);
  cells[at % 2].store(task, std::memory_order_relaxed);
  bottom.store(at + 1, std::memory_order_release);
}

Task* steal() {
  int at = top.load(std::memory_order_seq_cst);
  if (at >= bottom.load(std::memory_order_seq_cst)) return nullptr;
  Task* task = cells[at % 2].load(std::memory_order_relaxed);
  return top.compare_exchange_strong(at, at + 1) ? task : nullptr;
}

Task* pop() {
  int at = bottom.load(std::memory_order_relaxed) - 1;
  bottom.store(at, std::memory_order_seq_cst);
  int first = top.load(std::memory_order_seq_cst);
  Task* task = at >= first ? cells[at % 2].load(std::memory_order_relaxed) : nullptr;
  if (at > first) return task;
  if (task && !top.compare_exchange_strong(first, first + 1)) task = nullptr;
  bottom.store(at + 1, std::memory_order_relaxed);
  return task;
}

int main() {
  std::thread thief([] {
    if (Task* task = steal()) stolen = task->value;
  });
  for (Task& task : tasks) {
    task.value = 1;
    push(&task);
  }
  if (Task* task = pop()) own = task->value;
  thief.join();
}

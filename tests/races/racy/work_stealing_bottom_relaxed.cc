// Races: the owner stores bottom relaxed, so the thief has the pointer but not the task.
#include <atomic>
#include <chrono>
#include <thread>

struct Task {
  int value;
} task;
std::atomic<Task*> cells[2];
std::atomic<int> top, bottom;
int seen;

Task* steal() {
  int at = top.load();
  if (at >= bottom.load()) return nullptr;
  Task* found = cells[at % 2].load(std::memory_order_relaxed);
  return top.compare_exchange_strong(at, at + 1) ? found : nullptr;
}

int main() {
  std::thread owner([] {
    task.value = 1;  // race
    cells[0].store(&task, std::memory_order_relaxed);
    bottom.store(1, std::memory_order_relaxed);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (Task* stolen = steal()) seen = stolen->value;  // race
  owner.join();
}

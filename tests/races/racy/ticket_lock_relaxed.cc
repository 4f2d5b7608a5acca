// Races: the next number is served with a relaxed store.
#include <atomic>
#include <chrono>
#include <thread>

std::atomic<int> next, serving;
int counter;

void work() {
  int mine = next.fetch_add(1, std::memory_order_relaxed);
  if (serving.load(std::memory_order_acquire) != mine) return;
  ++counter;  // race
  serving.store(mine + 1, std::memory_order_relaxed);
}

int main() {
  std::thread other(work);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  work();
  other.join();
}

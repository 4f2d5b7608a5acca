// Races: a ring for one producer, used by two; both fill the same cell.
#include <atomic>
#include <thread>

int cells[2];
std::atomic<unsigned> head, tail;

void put(int value) {
  unsigned at = tail.load(std::memory_order_relaxed);
  if (at - head.load(std::memory_order_acquire) == 2) return;
  cells[at % 2] = value;  // race
  tail.store(at + 1, std::memory_order_release);
}

int main() {
  std::thread other(put, 1);
  put(2);
  other.join();
}

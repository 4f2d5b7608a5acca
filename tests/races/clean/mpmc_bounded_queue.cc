// No race: each cell's own sequence number is released by who fills or empties it.
#include <atomic>
#include <cassert>
#include <thread>

struct Cell {
  std::atomic<unsigned> sequence;
  int value;
} cells[2];
std::atomic<unsigned> head, tail;

bool put(int value) {
  unsigned at = tail.load(std::memory_order_relaxed);
  Cell& cell = cells[at % 2];
  if (cell.sequence.load(std::memory_order_acquire) != at) return false;
  if (!tail.compare_exchange_strong(at, at + 1, std::memory_order_relaxed)) return false;
  cell.value = value;
  cell.sequence.store(at + 1, std::memory_order_release);
  return true;
}

bool take(int& value) {
  unsigned at = head.load(std::memory_order_relaxed);
  Cell& cell = cells[at % 2];
  if (cell.sequence.load(std::memory_order_acquire) != at + 1) return false;
  if (!head.compare_exchange_strong(at, at + 1, std::memory_order_relaxed)) return false;
  value = cell.value;
  cell.sequence.store(at + 2, std::memory_order_release);
  return true;
}

void work(int mine) {
  int value = 0;
  put(mine);
  if (take(value)) assert(value == 1 || value == 2);
}

int main() {
  cells[1].sequence = 1;
  std::thread other(work, 1);
  work(2);
  other.join();
}

// Races: the cell's sequence number is stored relaxed, so its value is not published.
#include <atomic>
#include <chrono>
#include <thread>

struct Cell {
  std::atomic<unsigned> sequence;
  int value;
} cell;
int seen;

int main() {
  std::thread producer([] {
    cell.value = 42;  // race
    cell.sequence.store(1, std::memory_order_relaxed);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (cell.sequence.load(std::memory_order_acquire) == 1) seen = cell.value;  // race
  producer.join();
}

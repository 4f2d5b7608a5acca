// Races: the producer's index is stored relaxed, so the cell is not published.
#include <atomic>
#include <chrono>
#include <thread>

int cells[2], seen;
std::atomic<unsigned> head, tail;

void put(int value) {
  unsigned at = tail.load(std::memory_order_relaxed);
  if (at - head.load(std::memory_order_acquire) == 2) return;
  cells[at % 2] = value;  // race
  tail.store(at + 1, std::memory_order_relaxed);
}

int main() {
  std::thread producer([] { put(1); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  unsigned at = head.load(std::memory_order_relaxed);
  if (at != tail.load(std::memory_order_acquire)) {
    seen = cells[at % 2];  // race
    head.store(at + 1, std::memory_order_release);
  }
  producer.join();
}

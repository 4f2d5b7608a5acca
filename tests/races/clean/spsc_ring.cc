// No race: one producer, one consumer; each index is released by one and acquired by the other.
#include <atomic>
#include <cassert>
#include <thread>

int cells[2];
std::atomic<unsigned> head, tail;

bool put(int value) {
  unsigned at = tail.load(std::memory_order_relaxed);
  if (at - head.load(std::memory_order_acquire) == 2) return false;
  cells[at % 2] = value;
  tail.store(at + 1, std::memory_order_release);
  return true;
}

bool take(int& value) {
  unsigned at = head.load(std::memory_order_relaxed);
  if (at == tail.load(std::memory_order_acquire)) return false;
  value = cells[at % 2];
  head.store(at + 1, std::memory_order_release);
  return true;
}

int main() {
  std::thread producer([] {
    for (int i = 1; i <= 3; ++i) put(i);
  });
  int value = 0;
  for (int i = 0; i < 2; ++i) {
    if (take(value)) assert(value > 0);
  }
  producer.join();
}

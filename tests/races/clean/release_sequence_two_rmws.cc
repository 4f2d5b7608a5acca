// No race: two relaxed read-modify-writes in a row, by two threads, continue the release sequence.
#include <atomic>
#include <cassert>
#include <thread>

int data;
std::atomic<int> stage;

void advance(int from) {
  int expected = from;
  stage.compare_exchange_strong(expected, from + 1, std::memory_order_relaxed);
}

int main() {
  data = 1;
  std::thread writer([] {
    data = 42;
    stage.store(1, std::memory_order_release);
  });
  std::thread second(advance, 1);
  std::thread third(advance, 2);
  if (stage.load(std::memory_order_acquire) == 3) assert(data == 42);
  writer.join();
  second.join();
  third.join();
}

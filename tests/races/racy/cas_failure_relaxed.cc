// Races: a compare-exchange that fails has the order for failure, here relaxed.
#include <atomic>
#include <chrono>
#include <thread>

int data, seen;
std::atomic<int> state;

int main() {
  std::thread writer([] {
    data = 42;  // race
    state.store(1, std::memory_order_release);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  int expected = 0;
  if (!state.compare_exchange_strong(expected, 2, std::memory_order_acq_rel,
                                     std::memory_order_relaxed)) {
    seen = data;  // race
  }
  writer.join();
}

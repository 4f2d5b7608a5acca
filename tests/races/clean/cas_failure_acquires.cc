// No race: a compare-exchange that fails is a load, here with acquire.
#include <atomic>
#include <cassert>
#include <thread>

int data;
std::atomic<int> state;

int main() {
  std::thread writer([] {
    data = 42;
    state.store(1, std::memory_order_release);
  });
  int expected = 0;
  if (!state.compare_exchange_strong(expected, 0, std::memory_order_acq_rel,
                                     std::memory_order_acquire)) {
    assert(data == 42);
  }
  writer.join();
}

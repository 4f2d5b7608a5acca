// No race: atomic_ref releases and acquires as an atomic does.
#include <atomic>
#include <cassert>
#include <thread>

int data, ready;

int main() {
  std::thread writer([] {
    data = 42;
    std::atomic_ref(ready).store(1, std::memory_order_release);
  });
  if (std::atomic_ref(ready).load(std::memory_order_acquire)) assert(data == 42);
  writer.join();
  assert(ready == 1);
}

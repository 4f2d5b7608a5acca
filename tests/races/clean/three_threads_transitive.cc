// No race: the middle thread acquires from the first and releases to the third.
#include <atomic>
#include <cassert>
#include <thread>

int data;
std::atomic<bool> first, second;

int main() {
  std::thread one([] {
    data = 42;
    first.store(true, std::memory_order_release);
  });
  std::thread two([] {
    if (first.load(std::memory_order_acquire)) second.store(true, std::memory_order_release);
  });
  if (second.load(std::memory_order_acquire)) assert(data == 42);
  one.join();
  two.join();
}

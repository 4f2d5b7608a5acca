// Races: the middle thread releases to the third before it has acquired from the first.
#include <atomic>
#include <chrono>
#include <thread>

int data, seen;
std::atomic<bool> first, second;

int main() {
  std::thread one([] {
    data = 42;  // race
    first.store(true, std::memory_order_release);
  });
  std::thread two([] {
    second.store(true, std::memory_order_release);
    first.load(std::memory_order_acquire);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (second.load(std::memory_order_acquire)) seen = data;  // race
  one.join();
  two.join();
}

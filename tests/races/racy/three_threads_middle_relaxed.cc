// Races: the middle thread passes the flag on relaxed, so the chain is broken.
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
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (first.load(std::memory_order_acquire)) second.store(true, std::memory_order_relaxed);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(40));
  if (second.load(std::memory_order_acquire)) seen = data;  // race
  one.join();
  two.join();
}

// Races: the release fence comes after the store that it should come before.
#include <atomic>
#include <chrono>
#include <thread>

int data, seen;
std::atomic<bool> ready;

int main() {
  std::thread writer([] {
    data = 42;  // race
    ready.store(true, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (ready.load(std::memory_order_relaxed)) {
    std::atomic_thread_fence(std::memory_order_acquire);
    seen = data;  // race
  }
  writer.join();
}

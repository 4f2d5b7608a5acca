// Races: a signal fence orders with handlers of the same thread only.
#include <atomic>
#include <chrono>
#include <thread>

int data, seen;
std::atomic<bool> ready;

int main() {
  std::thread writer([] {
    data = 42;  // race
    std::atomic_signal_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (ready.load(std::memory_order_relaxed)) {
    std::atomic_signal_fence(std::memory_order_acquire);
    seen = data;  // race
  }
  writer.join();
}

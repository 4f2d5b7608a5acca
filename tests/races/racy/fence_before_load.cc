// Races: the acquire fence comes before the load that it should come after.
#include <atomic>
#include <chrono>
#include <thread>

int data, seen;
std::atomic<bool> ready;

int main() {
  std::thread writer([] {
    data = 42;  // race
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::atomic_thread_fence(std::memory_order_acquire);
  if (ready.load(std::memory_order_relaxed)) seen = data;  // race
  writer.join();
}

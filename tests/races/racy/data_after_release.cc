// Races: what is written after the release is not released.
#include <atomic>
#include <chrono>
#include <thread>

int data, seen;
std::atomic<bool> ready;

int main() {
  std::thread writer([] {
    ready.store(true, std::memory_order_release);
    data = 42;  // race
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (ready.load(std::memory_order_acquire)) seen = data;  // race
  writer.join();
}

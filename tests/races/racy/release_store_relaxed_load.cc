// Races: the store releases, but the load does not acquire.
#include <atomic>
#include <chrono>
#include <thread>

int data, seen;
std::atomic<bool> ready;

int main() {
  std::thread writer([] {
    data = 42;  // race
    ready.store(true, std::memory_order_release);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (ready.load(std::memory_order_relaxed)) seen = data;  // race
  writer.join();
}

// Races: the release that main reads is another thread's; the first one's is overwritten.
#include <atomic>
#include <chrono>
#include <thread>

int data, seen;
std::atomic<int> stage;

int main() {
  std::thread writer([] {
    data = 42;  // race
    stage.store(1, std::memory_order_release);
  });
  std::thread other([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    stage.store(2, std::memory_order_release);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(40));
  if (stage.load(std::memory_order_acquire) == 2) seen = data;  // race
  writer.join();
  other.join();
}

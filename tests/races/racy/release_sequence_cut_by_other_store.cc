// Races: a store of another thread ends the release sequence; it does not continue it.
// tsan: blind, its relaxed stores leave what was released before
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
  std::thread between([] {
    if (stage.load(std::memory_order_relaxed) == 1) stage.store(2, std::memory_order_relaxed);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (stage.load(std::memory_order_acquire) == 2) seen = data;  // race
  writer.join();
  between.join();
}

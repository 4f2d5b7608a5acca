// Races: since C++20 a relaxed store of the same thread ends its release sequence.
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
    stage.store(2, std::memory_order_relaxed);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (stage.load(std::memory_order_acquire) == 2) seen = data;  // race
  writer.join();
}

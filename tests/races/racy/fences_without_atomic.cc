// Races: fences order nothing without an atomic that one thread writes and the other reads.
#include <atomic>
#include <chrono>
#include <thread>

int data, seen;

int main() {
  std::thread writer([] {
    data = 42;  // race
    std::atomic_thread_fence(std::memory_order_seq_cst);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::atomic_thread_fence(std::memory_order_seq_cst);
  seen = data;  // race
  writer.join();
}

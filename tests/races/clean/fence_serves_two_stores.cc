// No race: one release fence serves every relaxed store after it.
// tsan: knows no fences
#include <atomic>
#include <cassert>
#include <thread>

int data;
std::atomic<int> first, second;

int main() {
  std::thread writer([] {
    data = 42;
    std::atomic_thread_fence(std::memory_order_release);
    first.store(1, std::memory_order_relaxed);
    second.store(1, std::memory_order_relaxed);
  });
  if (second.load(std::memory_order_acquire) == 1) assert(data == 42);
  writer.join();
}

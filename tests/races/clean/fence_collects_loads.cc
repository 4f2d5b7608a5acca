// No race: one acquire fence serves every relaxed load before it.
// tsan: knows no fences
#include <atomic>
#include <cassert>
#include <thread>

int left, right;
std::atomic<bool> left_ready, right_ready;

int main() {
  std::thread one([] {
    left = 1;
    left_ready.store(true, std::memory_order_release);
  });
  std::thread other([] {
    right = 2;
    right_ready.store(true, std::memory_order_release);
  });
  bool both = left_ready.load(std::memory_order_relaxed);
  both = right_ready.load(std::memory_order_relaxed) && both;
  if (both) {
    std::atomic_thread_fence(std::memory_order_acquire);
    assert(left + right == 3);
  }
  one.join();
  other.join();
}

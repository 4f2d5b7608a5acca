// No race: a release store, and an acquire fence after the relaxed load that saw it.
// tsan: knows no fences
#include <atomic>
#include <cassert>
#include <thread>

int data;
std::atomic<bool> ready;

int main() {
  std::thread writer([] {
    data = 42;
    ready.store(true, std::memory_order_release);
  });
  if (ready.load(std::memory_order_relaxed)) {
    std::atomic_thread_fence(std::memory_order_acquire);
    assert(data == 42);
  }
  writer.join();
}

// No race: the first look acquires, the store releases.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<int*> instance;

int* get() {
  int* seen = instance.load(std::memory_order_acquire);
  if (!seen) {
    std::lock_guard lock(mutex);
    seen = instance.load(std::memory_order_relaxed);
    if (!seen) {
      seen = new int(42);
      instance.store(seen, std::memory_order_release);
    }
  }
  return seen;
}

int main() {
  std::thread other([] { assert(*get() == 42); });
  assert(*get() == 42);
  other.join();
  delete instance.load();
}

// Races: the first look is atomic but relaxed, so the object itself is not published.
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<int*> instance;
int seen[2];

int* get() {
  int* there = instance.load(std::memory_order_relaxed);
  if (!there) {
    std::lock_guard lock(mutex);
    there = instance.load(std::memory_order_relaxed);
    if (!there) {
      there = new int(42);  // race
      instance.store(there, std::memory_order_relaxed);
    }
  }
  return there;
}

int main() {
  std::thread other([] { seen[1] = *get(); });  // race
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  seen[0] = *get();  // race
  other.join();
}

// Races: only if the second thread comes after the flag was set and before the data are there.
// rare: the flag is set too early by one line
#include <atomic>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<bool> initialised;
int table, seen;

int get() {
  if (!initialised.load(std::memory_order_acquire)) {
    std::lock_guard lock(mutex);
    if (!initialised.load(std::memory_order_relaxed)) {
      initialised.store(true, std::memory_order_release);
      table = 42;  // race
    }
  }
  return table;  // race
}

int main() {
  std::thread other([] { get(); });
  seen = get();
  other.join();
}

// Races: each object has a mutex of its own, and what they guard is static.
#include <mutex>
#include <thread>

struct Counter {
  std::mutex mutex;
  static inline int value = 0;

  void increase() {
    std::lock_guard lock(mutex);
    ++value;  // race
  }
} one, other;

int main() {
  std::thread thread([] { one.increase(); });
  other.increase();
  thread.join();
}

// No race: shared and exclusive locks with limits; who gets none stays away.
#include <chrono>
#include <shared_mutex>
#include <thread>

std::shared_timed_mutex mutex;
int data, seen;

auto limit() { return std::chrono::system_clock::now() + std::chrono::milliseconds(50); }

int main() {
  std::thread reader([] {
    if (mutex.try_lock_shared_until(limit())) {
      seen = data;
      mutex.unlock_shared();
    }
  });
  if (mutex.try_lock_until(limit())) {
    data = 1;
    mutex.unlock();
  }
  reader.join();
}

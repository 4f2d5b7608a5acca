// Races: the first look at the pointer is a plain read without the lock.
#include <chrono>
#include <mutex>
#include <thread>

std::mutex mutex;
int* instance;
int seen;

int* get() {
  if (!instance) {  // race
    std::lock_guard lock(mutex);
    if (!instance) instance = new int(42);  // race
  }
  return instance;
}

int main() {
  std::thread other([] { get(); });
  get();
  other.join();
}

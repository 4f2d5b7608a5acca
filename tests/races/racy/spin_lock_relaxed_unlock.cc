// Races: the unlock is a relaxed store.
#include <atomic>
#include <chrono>
#include <thread>

std::atomic<bool> locked;
int counter;

void work() {
  if (locked.exchange(true, std::memory_order_acquire)) return;
  ++counter;  // race
  locked.store(false, std::memory_order_relaxed);
}

int main() {
  std::thread other(work);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  work();
  other.join();
}

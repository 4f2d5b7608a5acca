// Races: a lock made of an atomic_flag whose operations are relaxed.
#include <atomic>
#include <chrono>
#include <thread>

std::atomic_flag taken;
int data;

void work() {
  if (taken.test_and_set(std::memory_order_relaxed)) return;
  ++data;  // race
  taken.clear(std::memory_order_relaxed);
}

int main() {
  std::thread other(work);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  work();
  other.join();
}

// Races: the flags are relaxed, so who comes later has nothing of who came first.
#include <atomic>
#include <chrono>
#include <thread>

std::atomic<bool> wants[2];
int counter;

void work(int me) {
  wants[me].store(true, std::memory_order_relaxed);
  if (!wants[1 - me].load(std::memory_order_relaxed)) ++counter;  // race
  wants[me].store(false, std::memory_order_relaxed);
}

int main() {
  std::thread other(work, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  work(0);
  other.join();
}

// Races: only if the stop comes before the start, and the worker then leaves by another door.
// rare: the worker must see a stop that main makes long after
#include <atomic>
#include <chrono>
#include <thread>

std::atomic<bool> stop;
int state;

int main() {
  std::thread worker([] {
    if (stop.load(std::memory_order_relaxed)) state = 1;  // race
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  state = 2;  // race
  stop.store(true, std::memory_order_relaxed);
  worker.join();
}

// Races: the data are read before the flag.
#include <atomic>
#include <thread>

int data, seen;
std::atomic<bool> ready;

int main() {
  std::thread writer([] {
    data = 42;  // race
    ready.store(true, std::memory_order_release);
  });
  int early = data;  // race
  if (ready.load(std::memory_order_acquire)) seen = early;
  writer.join();
}

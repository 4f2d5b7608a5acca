// Races: a relaxed fetch_add neither releases nor acquires.
#include <atomic>
#include <thread>

int data;
std::atomic<int> arrived;

void work() {
  if (arrived.fetch_add(1, std::memory_order_relaxed) == 1) data = 2;  // race
}

int main() {
  std::thread one([] {
    data = 1;  // race
    work();
  });
  std::thread other(work);
  one.join();
  other.join();
}

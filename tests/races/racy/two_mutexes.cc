// Races: each thread locks, but not the same mutex.
#include <mutex>
#include <thread>

std::mutex first, second;
int counter;

void increase(std::mutex& mutex) {
  std::lock_guard lock(mutex);
  ++counter;  // race
}

int main() {
  std::thread one([] { increase(first); }), other([] { increase(second); });
  one.join();
  other.join();
}

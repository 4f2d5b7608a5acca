// No race: who does not get the mutex in time stays away.
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex mutex;
int counter;

void try_to_increase() {
  std::unique_lock lock(mutex, std::defer_lock);
  auto limit = std::chrono::system_clock::now() + std::chrono::milliseconds(50);
  if (lock.try_lock_until(limit)) ++counter;
}

int main() {
  std::thread one(try_to_increase), other(try_to_increase);
  one.join();
  other.join();
}

// Races: the thread writes whether it got the mutex or not.
// rare: who comes second mostly gets it, and with it an order
#include <mutex>
#include <thread>

std::mutex mutex;
int counter;

void increase() {
  std::unique_lock lock(mutex, std::try_to_lock);
  ++counter;  // race
}

int main() {
  std::thread one(increase), other(increase);
  one.join();
  other.join();
}

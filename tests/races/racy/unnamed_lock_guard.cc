// Races: the guard has no name, so it is destroyed, and the mutex unlocked, at once.
#include <mutex>
#include <thread>

std::mutex mutex;
int counter;

void increase() {
  std::lock_guard<std::mutex>{mutex};
  ++counter;  // race
}

int main() {
  std::thread other(increase);
  increase();
  other.join();
}

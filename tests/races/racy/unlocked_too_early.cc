// Races: the last access comes after the unlock.
#include <mutex>
#include <thread>

std::mutex mutex;
int counter, seen;

void work() {
  mutex.lock();
  ++counter;  // race
  mutex.unlock();
  if (counter > 1) seen = 1;  // race
}

int main() {
  std::thread other(work);
  work();
  other.join();
}

// Races: only in the branch for a mutex that is taken, which counts without it.
// rare: the mutex must be tried while the other holds it
#include <mutex>
#include <thread>

std::mutex mutex;
int misses, seen;

void work() {
  if (mutex.try_lock()) {
    seen = misses;  // race
    mutex.unlock();
  } else {
    misses = 1;  // race
  }
}

int main() {
  std::thread one(work), other(work);
  one.join();
  other.join();
}

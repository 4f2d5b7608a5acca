// No race: a recursive mutex that may be waited for with a limit.
// tsan: knows no pthread_mutex_clocklock
#include <chrono>
#include <mutex>
#include <thread>

std::recursive_timed_mutex mutex;
int counter;

void increase() {
  std::lock_guard outer(mutex);
  if (mutex.try_lock_for(std::chrono::milliseconds(50))) {
    ++counter;
    mutex.unlock();
  }
}

int main() {
  std::thread one(increase), other(increase);
  one.join();
  other.join();
}

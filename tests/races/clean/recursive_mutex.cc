// No race: the inner unlock does not let go of the mutex.
#include <cassert>
#include <mutex>
#include <thread>

std::recursive_mutex mutex;
int counter;

void increase() {
  std::lock_guard outer(mutex);
  {
    std::lock_guard inner(mutex);
    ++counter;
  }
  ++counter;
}

int main() {
  std::thread one(increase), other(increase);
  one.join();
  other.join();
  assert(counter == 4);
}

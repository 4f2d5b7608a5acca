// No race: each increment is made with the mutex held.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int counter;

void increase() {
  std::lock_guard lock(mutex);
  ++counter;
}

int main() {
  std::thread one(increase), other(increase);
  one.join();
  other.join();
  assert(counter == 2);
}

// No race: who gets the mutex by trying holds it as by locking.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int counter;

void try_to_increase() {
  if (std::unique_lock lock(mutex, std::try_to_lock); lock) ++counter;
}

int main() {
  std::thread one(try_to_increase), other(try_to_increase);
  one.join();
  other.join();
  assert(counter == 1 || counter == 2);
}

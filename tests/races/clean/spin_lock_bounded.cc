// No race: an exchange with acquire takes the lock, a store with release gives it back.
#include <atomic>
#include <thread>

std::atomic<bool> locked;
int counter;

bool lock() {
  for (int tries = 0; tries < 2; ++tries) {
    if (!locked.exchange(true, std::memory_order_acquire)) return true;
  }
  return false;
}

void work() {
  if (!lock()) return;
  ++counter;
  locked.store(false, std::memory_order_release);
}

int main() {
  std::thread one(work), other(work);
  one.join();
  other.join();
}

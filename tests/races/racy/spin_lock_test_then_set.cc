// Races: it looks and then sets, in two operations; both may have seen it free.
// rare: both must look before either sets
#include <atomic>
#include <thread>

std::atomic<bool> locked;
int counter;

void work() {
  if (locked.load()) return;
  locked.store(true);
  ++counter;  // race
  locked.store(false);
}

int main() {
  std::thread other(work);
  work();
  other.join();
}

// No race: test_and_set acquires what clear released; who does not get the flag stays away.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag taken;
int data;

void work() {
  if (taken.test_and_set(std::memory_order_acquire)) return;
  ++data;
  taken.clear(std::memory_order_release);
}

int main() {
  std::thread one(work), other(work);
  one.join();
  other.join();
  assert(data == 1 || data == 2);
}

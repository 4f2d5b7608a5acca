// No race: both threads use the plain variable through atomic_ref.
#include <atomic>
#include <cassert>
#include <thread>

int counter;

void increase() { std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed); }

int main() {
  std::thread one(increase), other(increase);
  one.join();
  other.join();
  assert(counter == 2);
}

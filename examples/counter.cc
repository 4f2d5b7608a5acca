// A counter that two threads increase in two steps, load and store: an update can get lost.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter;

void increase() {
  int seen = counter.load();
  counter.store(seen + 1);
}

int main() {
  std::thread first(increase);
  std::thread second(increase);
  first.join();
  second.join();
  assert(counter == 2);
}

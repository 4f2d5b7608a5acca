// An update is lost where a load comes before the other thread's store.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter{0};

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

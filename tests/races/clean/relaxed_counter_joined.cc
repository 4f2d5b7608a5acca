// No race: relaxed increments give no order, but the joins do.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter;
int halves[2];

void work(int half) {
  halves[half] = 1;
  counter.fetch_add(1, std::memory_order_relaxed);
}

int main() {
  std::thread one(work, 0), other(work, 1);
  one.join();
  other.join();
  assert(counter.load(std::memory_order_relaxed) == halves[0] + halves[1]);
}

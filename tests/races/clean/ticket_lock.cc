// No race: a thread goes on when its number is served; the store that says so releases.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> next, serving;
int counter;

void work() {
  int mine = next.fetch_add(1, std::memory_order_relaxed);
  for (int now; (now = serving.load(std::memory_order_acquire)) != mine;) serving.wait(now);
  ++counter;
  serving.store(mine + 1, std::memory_order_release);
  serving.notify_all();
}

int main() {
  std::thread other(work);
  work();
  other.join();
  assert(counter == 2);
}

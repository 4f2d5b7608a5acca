// No race: both arrivals are read-modify-writes that release; the acquire load of 2 has both.
#include <atomic>
#include <cassert>
#include <thread>

int halves[2];
std::atomic<int> arrived;

void work(int half) {
  halves[half] = half + 1;
  arrived.fetch_add(1, std::memory_order_release);
}

int main() {
  std::thread first(work, 0), second(work, 1);
  if (arrived.load(std::memory_order_acquire) == 2) assert(halves[0] + halves[1] == 3);
  first.join();
  second.join();
}

// No race: with acq_rel the second to arrive has what the first wrote.
#include <atomic>
#include <cassert>
#include <thread>

int parts[2];
std::atomic<int> arrived;

void work(int part) {
  parts[part] = 1;
  if (arrived.fetch_add(1, std::memory_order_acq_rel) == 1) assert(parts[0] + parts[1] == 2);
}

int main() {
  std::thread first(work, 0), second(work, 1);
  first.join();
  second.join();
}

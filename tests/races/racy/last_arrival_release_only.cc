// Races: the last to arrive releases, but does not acquire what the first wrote.
#include <atomic>
#include <thread>

int parts[2], sum;
std::atomic<int> arrived;

void work(int part) {
  parts[part] = 1;                                                                      // race
  if (arrived.fetch_add(1, std::memory_order_release) == 1) sum = parts[0] + parts[1];  // race
}

int main() {
  std::thread one(work, 0), other(work, 1);
  one.join();
  other.join();
}

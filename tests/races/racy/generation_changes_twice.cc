// Races: only if the value goes from A to B and back to A between the reader's two looks.
// rare: two changes must fall between three loads
// search: --preemptions 3
#include <atomic>
#include <thread>

std::atomic<int> generation;
int data, seen;

int main() {
  std::thread writer([] {
    generation.fetch_add(1);
    generation.fetch_sub(1);
    data = 1;  // race
  });
  int before = generation.load(std::memory_order_relaxed);
  int between = generation.load(std::memory_order_relaxed);
  int after = generation.load(std::memory_order_relaxed);
  if (before == 0 && between == 1 && after == 0) seen = data;  // race
  writer.join();
}

// Two threads count; the sum is wrong only where one of them stands still between its last read and
// its last write while the other one does all of its work: not among the first executions of a
// search.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

std::atomic<int> n;

void count() {
  for (int i = 0; i < 4; ++i) n.store(n.load() + 1);
}

int main() {
  std::thread a(count), b(count);
  a.join();
  b.join();
  HEDDLE_ASSERT(n != 2);
}

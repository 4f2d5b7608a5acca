// Races: only where the compare-exchange fails, which counts its retries in a plain variable.
// rare: both threads must retry
// search: --preemptions 3
#include <atomic>
#include <thread>

std::atomic<int> total;
int retries;

void add() {
  int old = total.load();
  while (!total.compare_exchange_strong(old, old + 1)) {
    ++retries;  // race
  }
}

int main() {
  std::thread one(add), two(add), three(add);
  one.join();
  two.join();
  three.join();
}

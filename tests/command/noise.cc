// A lost update, and much else behind it: the preemption stands far before the failure.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::atomic<int> counter{0};
std::mutex mutex;
int sum;

void increase() {
  int seen = counter;
  counter = seen + 1;
}
// clang-format off
int main() {
  for (int i = 0; i < 10; ++i) { std::lock_guard guard(mutex); ++sum; }
  std::thread first(increase), second(increase);
  first.join();
  second.join();
  for (int i = 0, many = 100; i < many; ++i) { /* a long line, of which the lock stands at the end */ std::lock_guard guard(mutex); ++sum; }
  assert(counter == 2);
}

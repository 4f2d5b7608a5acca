// No race: a thread may get the stack of one that has ended; its variables are new ones.
#include <atomic>
#include <thread>

std::atomic<int> sum;

void work() {
  int local[4];
  for (int i = 0; i < 4; ++i) local[i] = i;
  int* escaped = local;
  asm volatile("" : "+r"(escaped) : : "memory");
  sum.fetch_add(escaped[3], std::memory_order_relaxed);
}

int main() {
  std::thread first(work);
  std::thread starter([] {
    std::thread second(work);
    second.join();
  });
  first.join();
  starter.join();
}

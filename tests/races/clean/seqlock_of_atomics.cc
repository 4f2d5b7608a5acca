// No race: the data of the seqlock are relaxed atomics; a disturbed reader throws them away.
#include <atomic>
#include <thread>

std::atomic<unsigned> sequence;
std::atomic<int> left, right;
int seen;

int main() {
  std::thread writer([] {
    sequence.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    left.store(1, std::memory_order_relaxed);
    right.store(1, std::memory_order_relaxed);
    sequence.store(2, std::memory_order_release);
  });
  unsigned before = sequence.load(std::memory_order_acquire);
  int sum = left.load(std::memory_order_relaxed) + right.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  unsigned after = sequence.load(std::memory_order_relaxed);
  if (before == after && before % 2 == 0) seen = sum;
  writer.join();
}

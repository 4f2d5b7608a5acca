// A hundred thousand steps until it fails, in every schedule: three threads, 24,000 rounds of lock
// and unlock for each of two workers, and as many atomic updates beside them as make 100,000.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex locks[7];
std::atomic<int> done;

void work(int first) {
  for (int i = 0; i < 24000; ++i) {
    std::lock_guard lock(locks[(first + i) % 7]);
    if (i % 12 == 0) ++done;
  }
}

int main() {
  std::thread one(work, 0), other(work, 3);
  one.join();
  other.join();
  assert(done == 0);
}

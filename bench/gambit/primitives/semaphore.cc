// Three threads share one permit, which a fourth one hands out.
// test: SemaphoreSlim
// steps: 120
// bug 4: assertion: who was woken looks at the number of permits and takes one in two steps, under
//   the lock. Threads that find a permit free do not take the lock: both have the same one.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#include "semaphore_slim.h"

int main() {
  constexpr int kThreads = 3;
  constexpr int kPermits = 1;
  constexpr int kRounds = 2;
  std::atomic<int> inside = 0;
  primitives::SemaphoreSlim semaphore(0);
  auto run = [&] {
    for (int round = 0; round < kRounds; ++round) {
      semaphore.acquire();
      int others = inside.fetch_add(1);
      assert(others < kPermits);
      inside.fetch_sub(1);
      semaphore.release();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(run);
  threads.emplace_back([&] { semaphore.release(kPermits); });
  for (std::thread& thread : threads) thread.join();
}

// What libstdc++ builds on futexes and reader-writer locks.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --preemptions 1 --keep-going --executions 20000 --json %t.json %t
// JSON: j["failures"] == [] and j["executions"] > 100
#include <atomic>
#include <barrier>
#include <cassert>
#include <future>
#include <latch>
#include <semaphore>
#include <shared_mutex>
#include <thread>
int main() {
  std::shared_mutex lock;
  int value = 0;
  std::thread writer([&] {
    std::unique_lock guard(lock);
    value = 1;
  });
  {
    std::shared_lock guard(lock);
    assert(value == 0 || value == 1);
  }
  writer.join();
  std::counting_semaphore<4> semaphore(0);
  std::latch latch(2);
  std::atomic<int> word{0};
  std::barrier barrier(2);
  std::promise<int> promise;
  std::thread other([&] {
    semaphore.release();
    latch.arrive_and_wait();
    word = 1;
    word.notify_one();
    barrier.arrive_and_wait();
    promise.set_value(7);
  });
  semaphore.acquire();
  latch.arrive_and_wait();
  word.wait(0);
  barrier.arrive_and_wait();
  assert(promise.get_future().get() == 7);
  other.join();
  assert(std::async(std::launch::async, [] { return 5; }).get() == 5);
}

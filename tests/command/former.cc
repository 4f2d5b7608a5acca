// THREADS threads increase a number, without a lock unless FIXED says so.
#include <heddle/heddle.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#ifndef THREADS
#define THREADS 2
#endif

std::atomic<int> number;
std::mutex mutex;

void increase() {
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  number.store(number.load() + 1);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < THREADS; ++i) threads.emplace_back(increase);
  for (std::thread& thread : threads) thread.join();
  HEDDLE_ASSERT(number.load() == THREADS);
}

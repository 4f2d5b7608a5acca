// Locks that a static constructor has used, natively, are as free under control as they were left.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --json %t.json %t
// JSON: j["verdict"] == "passed" and j["threads"] == 2
#include <pthread.h>

#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int number;

// A writer leaves a mark in glibc's lock when it goes; readers another.
struct Before {
  Before() {
    mutex.lock();
    mutex.unlock();
    mutex.lock_shared();
    mutex.unlock_shared();
    mutex.lock();
    number = 1;
    mutex.unlock();
  }
} before;

int main() {
  std::thread reader([] {
    std::shared_lock<std::shared_mutex> lock(mutex);
    assert(number == 1 || number == 2);
  });
  {
    std::unique_lock<std::shared_mutex> lock(mutex);
    ++number;
  }
  reader.join();
}

// What is not under control stops with its name and the line that uses it; it does not run on its own.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run %t
// EXIT: 2
// OUT: pthread_rwlock_wrlock
// OUT: shared_mutex.cc:12
#include <shared_mutex>
int main() {
  std::shared_mutex mutex;
  // The next line.
  mutex.lock();
  mutex.unlock();
}

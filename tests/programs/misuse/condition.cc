// What a condition does not permit, one case for each argument.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t unlocked
// EXIT: 1
// OUT: main waits on condition c with a mutex that it does not hold
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t held-by-other
// EXIT: 1
// OUT: T1 waits on condition c with a mutex that it does not hold
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t std-unlocked
// EXIT: 1
// OUT: main waits on condition changed with a mutex that it does not hold
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t two-mutexes
// EXIT: 1
// OUT: (T1|T2) waits on condition c with another mutex than (T1|T2), which waits too
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t destroy-waited
// EXIT: 1
// OUT: main destroys condition c, on which T1 waits
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t std-destroy-waited
// EXIT: 1
// OUT: main destroys condition changed, on which T1 waits
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t signal-destroyed
// EXIT: 1
// OUT: main uses condition c, which was destroyed
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t broadcast-destroyed
// EXIT: 1
// OUT: main uses condition c, which was destroyed
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t wait-destroyed
// EXIT: 1
// OUT: main uses condition c, which was destroyed
// JSON: j["failures"][0]["kind"] == "misuse"
#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void held_by_other() {
  pthread_mutex_lock(&m);
  std::thread([] { pthread_cond_wait(&c, &m); }).join();
}

void std_unlocked() {
  std::mutex mutex;
  std::condition_variable changed;
  std::unique_lock lock(mutex);
  lock.unlock();
  changed.wait(lock);
}

void wait_with(pthread_mutex_t* mutex) {
  pthread_mutex_lock(mutex);
  pthread_cond_wait(&c, mutex);
  pthread_mutex_unlock(mutex);
}

void two_mutexes() {
  std::thread a(wait_with, &m), b(wait_with, &n);
  a.join();
  b.join();
}

void destroy_waited() {
  std::thread waiter(wait_with, &m);
  std::this_thread::yield();
  pthread_cond_destroy(&c);
  waiter.join();
}

void std_destroy_waited() {
  std::mutex mutex;
  std::thread waiter;
  std::condition_variable changed;
  waiter = std::thread([&] {
    std::unique_lock lock(mutex);
    changed.wait(lock);
  });
  std::this_thread::yield();
}

void wait_destroyed() {
  pthread_cond_destroy(&c);
  wait_with(&m);
}

int main(int, char** arguments) {
  std::string which = arguments[1];
  if (which == "unlocked") pthread_cond_wait(&c, &m);
  if (which == "held-by-other") held_by_other();
  if (which == "std-unlocked") std_unlocked();
  if (which == "two-mutexes") two_mutexes();
  if (which == "destroy-waited") destroy_waited();
  if (which == "std-destroy-waited") std_destroy_waited();
  if (which == "signal-destroyed") pthread_cond_destroy(&c), pthread_cond_signal(&c);
  if (which == "broadcast-destroyed") pthread_cond_destroy(&c), pthread_cond_broadcast(&c);
  if (which == "wait-destroyed") wait_destroyed();
}

// What tools warn of beside races: locks that are misused, a thread that nobody joins. The reports
// beside this file are made of it; it is part of no test itself.
#include <pthread.h>

#include <mutex>
#include <thread>

static std::mutex first;
static std::mutex second;
static int shared = 0;

static void forwards() {
  std::lock_guard outer(first);
  std::lock_guard inner(second);
  ++shared;
}

static void backwards() {
  std::lock_guard outer(second);
  std::lock_guard inner(first);
  ++shared;
}

static void* leaked(void*) { return nullptr; }

int main() {
  std::thread one(forwards);
  one.join();
  std::thread other(backwards);
  other.join();
  pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&held);
  pthread_mutex_destroy(&held);
  pthread_mutex_t idle = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_unlock(&idle);
  pthread_t thread;
  pthread_create(&thread, nullptr, leaked, nullptr);
  pthread_join(thread, nullptr);
  pthread_create(&thread, nullptr, leaked, nullptr);
  std::thread waiter([] { ++shared; });
  ++shared;
  waiter.join();
}

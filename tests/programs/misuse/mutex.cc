// What a mutex does not permit, one case for each argument. The message names the mutex and who
// holds it.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t unlock-free
// EXIT: 1
// OUT: ^FAILED  misuse in main at mutex.cc:\d+\n  main unlocks mutex m, which is not locked$
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t unlock-of-other
// EXIT: 1
// OUT: T1 unlocks mutex m, which main holds
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t lock-again
// EXIT: 1
// OUT: main locks mutex m, which it holds already
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t std-lock-again
// EXIT: 1
// OUT: main locks mutex local, which it holds already
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t destroy-locked
// EXIT: 1
// OUT: main destroys mutex m, which T1 holds
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t destroy-in-wait
// EXIT: 1
// OUT: main destroys mutex m, with which T1 waits on a condition
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t use-destroyed
// EXIT: 1
// OUT: main uses mutex m, which was destroyed
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t destroy-twice
// EXIT: 1
// OUT: main uses mutex m, which was destroyed
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t destroyed-meanwhile
// EXIT: 1
// OUT: T1 uses mutex m, which was destroyed
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t unlock-recursive-freed
// EXIT: 1
// OUT: main uses mutex heap 0x[0-9a-f]+, which was destroyed
// JSON: j["failures"][0]["kind"] == "misuse"
#include <pthread.h>
#include <semaphore.h>

#include <mutex>
#include <string>
#include <thread>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void unlock_of_other() {
  pthread_mutex_lock(&m);
  std::thread([] { pthread_mutex_unlock(&m); }).join();
}

void std_lock_again() {
  std::mutex local;
  std::scoped_lock once(local);
  std::scoped_lock twice(local);
}

void destroy_locked() {
  sem_t locked, done;
  sem_init(&locked, 0, 0);
  sem_init(&done, 0, 0);
  std::thread holder([&] {
    pthread_mutex_lock(&m);
    sem_post(&locked);
    sem_wait(&done);
    pthread_mutex_unlock(&m);
  });
  sem_wait(&locked);
  pthread_mutex_destroy(&m);
  sem_post(&done);
  holder.join();
}

// Once the waiter has let go of the mutex, main sees `waiting`.
void destroy_in_wait() {
  static bool waiting, done;
  std::thread waiter([] {
    pthread_mutex_lock(&m);
    waiting = true;
    while (!done) pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
  });
  pthread_mutex_lock(&m);
  bool ready = waiting;
  pthread_mutex_unlock(&m);
  if (ready) pthread_mutex_destroy(&m);
  pthread_mutex_lock(&m);
  done = true;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  waiter.join();
}

// The thread may be about to lock when the mutex goes.
void destroyed_meanwhile() {
  std::thread other([] {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
  });
  pthread_mutex_destroy(&m);
  other.join();
}

void unlock_recursive_freed() {
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  auto* mutex = new pthread_mutex_t;
  pthread_mutex_init(mutex, &recursive);
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  pthread_mutex_destroy(mutex);
  pthread_mutex_unlock(mutex);
}

int main(int, char** arguments) {
  std::string which = arguments[1];
  if (which == "unlock-free") pthread_mutex_unlock(&m);
  if (which == "unlock-of-other") unlock_of_other();
  if (which == "lock-again") pthread_mutex_lock(&m), pthread_mutex_lock(&m);
  if (which == "std-lock-again") std_lock_again();
  if (which == "destroy-locked") destroy_locked();
  if (which == "destroy-in-wait") destroy_in_wait();
  if (which == "use-destroyed") pthread_mutex_destroy(&m), pthread_mutex_lock(&m);
  if (which == "destroy-twice") pthread_mutex_destroy(&m), pthread_mutex_destroy(&m);
  if (which == "destroyed-meanwhile") destroyed_meanwhile();
  if (which == "unlock-recursive-freed") unlock_recursive_freed();
}

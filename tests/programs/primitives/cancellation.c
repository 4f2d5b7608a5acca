// Deferred cancellation: a thread ends at its next cancellation point, or in the one where it
// waits, with its clean-up handlers, innermost first, and PTHREAD_CANCELED as its result.
// RUN: %cc -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --preemptions 2 --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] > 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int pipe_ends[2];
static atomic_int cleaned;  // the handlers that have run, as digits

static void clean(void* digit) { cleaned = cleaned * 10 + (int)(size_t)digit; }
static void unlock(void* held) { assert(pthread_mutex_unlock(held) == 0); }

static void* start(void (*wait)(void)) {
  pthread_cleanup_push(clean, (void*)1);
  pthread_cleanup_push(clean, (void*)2);
  wait();
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return NULL;
}

static void* run(void* wait) { return start(*(void (**)(void))wait); }

// Cancelled before, in or after whatever it is at: it ends.
static void ends(void (*wait)(void)) {
  pthread_t thread;
  void* result = NULL;
  cleaned = 0;
  assert(pthread_create(&thread, NULL, run, &wait) == 0);
  assert(pthread_cancel(thread) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == PTHREAD_CANCELED);
  assert(cleaned == 21);
}

static void on_semaphore(void) { sem_wait(&semaphore); }
static void on_semaphore_for_a_while(void) {
  struct timespec far = {4000000000, 0};
  sem_timedwait(&semaphore, &far);
  on_semaphore();  // its time may have come before the request
}
static void asleep(void) {
  sleep(1000000);
  on_semaphore();
}
static void testing(void) {
  pthread_testcancel();
  usleep(1);
  pthread_testcancel();
  on_semaphore();
}
static void reading(void) {
  char byte;
  assert(read(pipe_ends[0], &byte, 1) == 1);
}

// The handler finds the mutex held: otherwise its unlock would be a misuse.
static void on_condition(void) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  for (;;) pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(0);
}
static void on_condition_for_a_while(void) {
  struct timespec far = {4000000000, 0};
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  pthread_cond_timedwait(&condition, &mutex, &far);
  on_semaphore();
  pthread_cleanup_pop(0);
}

static void* join(void* target) {
  pthread_join(*(pthread_t*)target, NULL);
  return NULL;
}

static void* wait_for_semaphore(void* result) {
  while (sem_wait(&semaphore) != 0) {
  }
  return result;
}

// Whoever is cancelled in a join leaves the other one joinable.
static void in_join(void) {
  pthread_t target, joiner;
  void* result = NULL;
  assert(pthread_create(&target, NULL, wait_for_semaphore, &result) == 0);
  assert(pthread_create(&joiner, NULL, join, &target) == 0);
  assert(pthread_cancel(joiner) == 0);
  assert(pthread_join(joiner, &result) == 0 && result == PTHREAD_CANCELED);
  assert(sem_post(&semaphore) == 0);
  assert(pthread_join(target, &result) == 0 && result == &result);
}

// While it is disabled nothing happens; then the request is still there.
static void* disabled(void* said_no) {
  int old = -1;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0);
  assert(old == PTHREAD_CANCEL_ENABLE);
  assert(pthread_setcancelstate(77, NULL) == EINVAL);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0);
  assert(old == PTHREAD_CANCEL_DEFERRED);
  assert(sem_post(said_no) == 0);
  wait_for_semaphore(NULL);
  pthread_testcancel();
  assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0);
  assert(old == PTHREAD_CANCEL_DISABLE);
  cleaned = 8;
  pthread_testcancel();
  cleaned = 9;
  return NULL;
}

static void while_disabled(void) {
  pthread_t thread;
  sem_t said_no;
  void* result = NULL;
  assert(sem_init(&said_no, 0, 0) == 0);
  assert(pthread_create(&thread, NULL, disabled, &said_no) == 0);
  assert(sem_wait(&said_no) == 0);
  assert(pthread_cancel(thread) == 0);
  assert(sem_post(&semaphore) == 0);
  assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
  assert(cleaned == 8);
}

// A lock is no cancellation point, and one that has ended cannot be cancelled any more.
static void* locking(void* result) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return result;
}

static void too_late(void) {
  pthread_t thread;
  void* result = NULL;
  assert(pthread_create(&thread, NULL, locking, &result) == 0);
  assert(pthread_cancel(thread) == 0);
  assert(pthread_join(thread, &result) == 0 && result == &result);
}

// One that waits on a condition and is cancelled takes no signal from another that waits.
static void* wait_once(void* result) {
  pthread_mutex_lock(&mutex);
  assert(sem_post(&semaphore) == 0);
  pthread_cleanup_push(unlock, &mutex);
  pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(1);
  return result;
}

static void signal_for_the_other(void) {
  pthread_t gone, other;
  void* result = NULL;
  assert(pthread_create(&gone, NULL, wait_once, &result) == 0);
  assert(pthread_create(&other, NULL, wait_once, &result) == 0);
  assert(sem_wait(&semaphore) == 0 && sem_wait(&semaphore) == 0);
  pthread_mutex_lock(&mutex);  // now both sleep
  assert(pthread_cancel(gone) == 0);
  assert(pthread_cond_signal(&condition) == 0);
  pthread_mutex_unlock(&mutex);
  assert(pthread_join(gone, &result) == 0 && result == PTHREAD_CANCELED);
  assert(pthread_join(other, &result) == 0 && result == &result);
}

int main(void) {
  assert(sem_init(&semaphore, 0, 0) == 0);
  assert(pipe(pipe_ends) == 0);
  ends(on_semaphore);
  ends(on_semaphore_for_a_while);
  ends(asleep);
  ends(testing);
  ends(reading);
  ends(on_condition);
  ends(on_condition_for_a_while);
  in_join();
  while_disabled();
  too_late();
  signal_for_the_other();
  return 0;
}

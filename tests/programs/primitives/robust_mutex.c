// Robust mutexes: the end of a holder, what the next one gets, mended or not.
// RUN: %cc -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --strategy dfs --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] > 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex, second;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int dead, unrecoverable;

static void make(pthread_mutex_t* robust, int type) {
  pthread_mutexattr_t attributes;
  int robustness = -1;
  assert(pthread_mutexattr_init(&attributes) == 0);
  assert(pthread_mutexattr_settype(&attributes, type) == 0);
  assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
  assert(pthread_mutexattr_getrobust(&attributes, &robustness) == 0);
  assert(robustness == PTHREAD_MUTEX_ROBUST);
  assert(pthread_mutex_init(robust, &attributes) == 0);
}

static void run(void* (*function)(void*)) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, function, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
}

static void* end_with_both(void* unused) {
  (void)unused;
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_lock(&second) == 0);
  return NULL;
}

static void* end_with_it_again(void* unused) {
  (void)unused;
  assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
  pthread_exit(NULL);
}

static void* unlock_without(void* unused) {
  (void)unused;
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  return NULL;
}

// Mended, it is as good as new.
static void mended(void) {
  run(end_with_both);
  run(end_with_it_again);
  assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
  run(unlock_without);
  assert(pthread_mutex_consistent(&mutex) == 0);
  assert(pthread_mutex_consistent(&mutex) == EINVAL);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
}

// Not mended, it is lost, for good.
static void lost(void) {
  assert(pthread_mutex_trylock(&second) == EOWNERDEAD);
  assert(pthread_mutex_unlock(&second) == 0);
  assert(pthread_mutex_lock(&second) == ENOTRECOVERABLE);
  assert(pthread_mutex_trylock(&second) == ENOTRECOVERABLE);
  assert(pthread_mutex_destroy(&second) == 0);
}

// Whoever waits when the holder ends, gets it: one as the heir, the other after it, in vain.
static void* hold(void* unused) {
  (void)unused;
  int error = pthread_mutex_lock(&mutex);
  dead += error == EOWNERDEAD;
  unrecoverable += error == ENOTRECOVERABLE;
  return NULL;
}

static void* inherit(void* unused) {
  (void)unused;
  int error = pthread_mutex_lock(&mutex);
  dead += error == EOWNERDEAD;
  unrecoverable += error == ENOTRECOVERABLE;
  if (error != ENOTRECOVERABLE) assert(pthread_mutex_unlock(&mutex) == 0);
  return NULL;
}

// holder and heir: either the heir is first and leaves it whole, or it inherits and loses it.
static void waiting(void) {
  pthread_t holder, heir;
  make(&mutex, PTHREAD_MUTEX_NORMAL);
  assert(pthread_create(&holder, NULL, hold, NULL) == 0);
  assert(pthread_create(&heir, NULL, inherit, NULL) == 0);
  assert(pthread_join(holder, NULL) == 0);
  assert(pthread_join(heir, NULL) == 0);
  int error = pthread_mutex_lock(&mutex);
  if (dead == 0) assert(error == EOWNERDEAD);
  if (dead == 1) assert(error == ENOTRECOVERABLE && unrecoverable == 0);
}

// A wait on a condition gets the mutex back from a holder that has ended.
static void* signal_and_end(void* unused) {
  (void)unused;
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_cond_signal(&condition) == 0);
  return NULL;
}

static void waiting_on_condition(void) {
  pthread_t thread;
  make(&mutex, PTHREAD_MUTEX_RECURSIVE);
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_create(&thread, NULL, signal_and_end, NULL) == 0);
  assert(pthread_cond_wait(&condition, &mutex) == EOWNERDEAD);
  assert(pthread_mutex_consistent(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_join(thread, NULL) == 0);
}

int main(void) {
  make(&mutex, PTHREAD_MUTEX_NORMAL);
  make(&second, PTHREAD_MUTEX_ERRORCHECK);
  mended();
  lost();
  waiting();
  waiting_on_condition();
  return 0;
}

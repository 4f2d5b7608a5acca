// RUN: %cc -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --preemptions none --json %t.json %t
// JSON: j["verdict"] == "passed"
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void* other(void* unused) {
  (void)unused;
  assert(pthread_mutex_unlock(&checking) == EPERM);
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(inside == 0);
  inside = 1;
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);
  inside = 0;
  assert(pthread_mutex_unlock(&recursive) == 0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct timespec limit;
  assert(pthread_mutex_lock(&checking) == 0);
  assert(pthread_mutex_lock(&checking) == EDEADLK);
  assert(pthread_mutex_trylock(&checking) == EBUSY);
  assert(pthread_create(&thread, NULL, other, NULL) == 0);
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(inside == 0);
  assert(pthread_mutex_trylock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == EPERM);
  assert(pthread_join(thread, NULL) == 0);
  assert(pthread_mutex_unlock(&checking) == 0);

  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 1;
  assert(pthread_mutex_lock(&normal) == 0);
  assert(pthread_mutex_timedlock(&normal, &limit) == ETIMEDOUT);
  clock_gettime(CLOCK_MONOTONIC, &limit);
  assert(pthread_mutex_clocklock(&normal, CLOCK_MONOTONIC, &limit) == ETIMEDOUT);
  limit.tv_nsec = 1000000000;
  assert(pthread_mutex_timedlock(&normal, &limit) == EINVAL);
  assert(pthread_mutex_unlock(&normal) == 0);
  return 0;
}

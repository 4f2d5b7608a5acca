// No race: a mutex of each kind guards a counter of its own.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int counters[3];

static void increase(pthread_mutex_t* mutex, int* counter) {
  pthread_mutex_lock(mutex);
  ++*counter;
  pthread_mutex_unlock(mutex);
}

static void* work(void* unused) {
  increase(&normal, &counters[0]);
  increase(&checking, &counters[1]);
  increase(&recursive, &counters[2]);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  work(NULL);
  pthread_join(other, NULL);
  assert(counters[0] == 2 && counters[1] == 2 && counters[2] == 2);
  return 0;
}

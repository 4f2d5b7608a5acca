// No race: the counter changes only where trylock or timedlock said 0.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void* work(void* unused) {
  if (pthread_mutex_trylock(&mutex) == 0) {
    ++counter;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  ++limit.tv_sec;
  if (pthread_mutex_timedlock(&mutex, &limit) == 0) {
    ++counter;
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(other, NULL);
  return 0;
}

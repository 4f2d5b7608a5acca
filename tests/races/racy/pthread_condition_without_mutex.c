// Races: the signaller changes the state without the mutex.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;

static void* announce(void* unused) {
  ready = 1;  // race
  pthread_cond_signal(&changed);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, announce, NULL);
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_nsec = limit.tv_nsec < 900000000 ? limit.tv_nsec + 50000000 : 999999999;
  pthread_mutex_lock(&mutex);
  if (!ready) pthread_cond_timedwait(&changed, &mutex, &limit);  // race
  pthread_mutex_unlock(&mutex);
  pthread_join(other, NULL);
  return 0;
}

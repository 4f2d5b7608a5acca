// Races: one of the two forgets the mutex.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void* work(void* unused) {
  pthread_mutex_lock(&mutex);
  ++counter;  // race
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  ++counter;  // race
  pthread_join(other, NULL);
  return 0;
}

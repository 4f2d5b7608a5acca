// Races: the semaphore starts with two, and does not exclude.
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;
int counter;

static void* work(void* unused) {
  sem_wait(&permits);
  ++counter;  // race
  sem_post(&permits);
  return unused;
}

int main(void) {
  sem_init(&permits, 0, 2);
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  work(NULL);
  pthread_join(other, NULL);
  return 0;
}

// Races: sem_getvalue looks at the semaphore, and does not synchronise with who posted.
// tsan: blind, it takes sem_getvalue for a wait
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t items;
int data, seen;

static void* produce(void* unused) {
  data = 42;  // race
  sem_post(&items);
  return unused;
}

int main(void) {
  sem_init(&items, 0, 0);
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  usleep(20000);
  int value = 0;
  sem_getvalue(&items, &value);
  if (value == 1) seen = data;  // race
  pthread_join(producer, NULL);
  return 0;
}

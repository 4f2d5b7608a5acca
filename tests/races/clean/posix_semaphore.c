// No race: sem_wait returns after the sem_post that made it possible.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t items;
int data;

static void* produce(void* unused) {
  data = 42;
  sem_post(&items);
  return unused;
}

int main(void) {
  sem_init(&items, 0, 0);
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  sem_wait(&items);
  assert(data == 42);
  pthread_join(producer, NULL);
  sem_destroy(&items);
  return 0;
}

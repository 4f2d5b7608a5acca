// Races: C's relaxed atomics give no order either.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

int data, seen;
atomic_int ready;

static void* publish(void* unused) {
  data = 42;  // race
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t writer;
  pthread_create(&writer, NULL, publish, NULL);
  usleep(20000);
  if (atomic_load_explicit(&ready, memory_order_relaxed)) seen = data;  // race
  pthread_join(writer, NULL);
  return 0;
}

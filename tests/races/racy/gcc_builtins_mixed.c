// Races: one side uses the compiler's atomic built-ins, the other a plain increment.
#include <pthread.h>

int counter;

static void* work(void* unused) {
  __sync_fetch_and_add(&counter, 1);  // race
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  ++counter;  // race
  pthread_join(other, NULL);
  return 0;
}

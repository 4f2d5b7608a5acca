// Races: it has the lock for reading, and writes.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int hits;

static void* look(void* unused) {
  pthread_rwlock_rdlock(&lock);
  ++hits;  // race
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, look, NULL);
  look(NULL);
  pthread_join(other, NULL);
  return 0;
}

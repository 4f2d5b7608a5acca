// No race: a reader reads, a writer writes, each with the lock for that.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int data, seen;

static void* read_it(void* unused) {
  pthread_rwlock_rdlock(&lock);
  seen = data;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t reader;
  pthread_create(&reader, NULL, read_it, NULL);
  pthread_rwlock_wrlock(&lock);
  data = 42;
  pthread_rwlock_unlock(&lock);
  pthread_join(reader, NULL);
  return 0;
}

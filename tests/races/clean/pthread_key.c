// No race: each thread's value is its own; the destructor runs before the join returns.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
int destroyed;

static void destroy(void* value) {
  free(value);
  ++destroyed;
}

static void* work(void* unused) {
  int* mine = malloc(sizeof *mine);
  *mine = 1;
  pthread_setspecific(key, mine);
  ++*(int*)pthread_getspecific(key);
  return unused;
}

int main(void) {
  pthread_key_create(&key, destroy);
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  pthread_join(other, NULL);
  assert(destroyed == 1);
  return 0;
}

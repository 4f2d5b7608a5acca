// No race: both return from pthread_once after the one call has ended.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
int data;

static void initialise(void) { data = 42; }

static void* work(void* unused) {
  pthread_once(&once, initialise);
  assert(data == 42);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  work(NULL);
  pthread_join(other, NULL);
  return 0;
}

// No race: a spin lock orders as a mutex does.
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
int counter;

static void* work(void* unused) {
  pthread_spin_lock(&lock);
  ++counter;
  pthread_spin_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  work(NULL);
  pthread_join(other, NULL);
  assert(counter == 2);
  pthread_spin_destroy(&lock);
  return 0;
}

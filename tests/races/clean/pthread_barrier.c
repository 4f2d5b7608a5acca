// No race: what both did before the barrier is before what both do after it.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
int cells[2];

static void meet(int me) {
  cells[me] = 1;
  pthread_barrier_wait(&barrier);
  assert(cells[1 - me] == 1);
  pthread_barrier_wait(&barrier);
  cells[me] = 2;
}

static void* work(void* unused) {
  meet(1);
  return unused;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  meet(0);
  pthread_join(other, NULL);
  pthread_barrier_destroy(&barrier);
  return 0;
}

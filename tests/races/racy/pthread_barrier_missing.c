// Races: a second barrier is missing before the own cell, which the other reads, is written again.
#include <pthread.h>

static pthread_barrier_t barrier;
int cells[2], seen[2];

static void meet(int me) {
  cells[me] = 1;
  pthread_barrier_wait(&barrier);
  seen[me] = cells[1 - me];  // race
  cells[me] = 2;             // race
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
  return 0;
}

// Races: two spin locks for one counter.
#include <pthread.h>

static pthread_spinlock_t locks[2];
int counter;

static void increase(int which) {
  pthread_spin_lock(&locks[which]);
  ++counter;  // race
  pthread_spin_unlock(&locks[which]);
}

static void* work(void* unused) {
  increase(1);
  return unused;
}

int main(void) {
  pthread_spin_init(&locks[0], PTHREAD_PROCESS_PRIVATE);
  pthread_spin_init(&locks[1], PTHREAD_PROCESS_PRIVATE);
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  increase(0);
  pthread_join(other, NULL);
  return 0;
}

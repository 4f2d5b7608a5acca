// Races: one of the two forgets the mutex.
// tsan: knows no C11 threads
#include <threads.h>

static mtx_t mutex;
int counter;

static int work(void* unused) {
  (void)unused;
  mtx_lock(&mutex);
  ++counter;  // race
  mtx_unlock(&mutex);
  return 0;
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
  thrd_t other;
  thrd_create(&other, work, NULL);
  ++counter;  // race
  thrd_join(other, NULL);
  return 0;
}

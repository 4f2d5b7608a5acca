// No race: mtx_lock and mtx_trylock order as their POSIX kin do.
// tsan: knows no C11 threads
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
int counter;

static int work(void* unused) {
  (void)unused;
  mtx_lock(&mutex);
  ++counter;
  mtx_unlock(&mutex);
  if (mtx_trylock(&mutex) == thrd_success) {
    ++counter;
    mtx_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
  thrd_t other;
  thrd_create(&other, work, NULL);
  work(NULL);
  thrd_join(other, NULL);
  assert(counter >= 3);
  return 0;
}

// No race: cnd_wait returns with the mutex held.
// tsan: knows no C11 threads
#include <assert.h>
#include <stdbool.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
bool ready;
int data;

static int announce(void* unused) {
  (void)unused;
  data = 42;
  mtx_lock(&mutex);
  ready = true;
  cnd_signal(&changed);
  mtx_unlock(&mutex);
  return 0;
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  thrd_t other;
  thrd_create(&other, announce, NULL);
  mtx_lock(&mutex);
  while (!ready) cnd_wait(&changed, &mutex);
  mtx_unlock(&mutex);
  assert(data == 42);
  thrd_join(other, NULL);
  return 0;
}

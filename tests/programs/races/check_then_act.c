// A plain flag says that the slot is taken; both threads look before either sets it. One of them
// then finds its value gone, which only --races explore shows.
// RUN: %cc -O0 -g %s -o %t
// RUN: %heddle run --races ignore --json - %t
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --races explore --json - %t
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "assertion" and j["failures"][0]["preemptions"] >= 1
#include <assert.h>
#include <pthread.h>

int taken, slot;

static void take(int me) {
  if (taken) return;
  taken = 1;
  slot = me;
  assert(slot == me);
}

static void* work(void* unused) {
  take(1);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  take(2);
  pthread_join(other, NULL);
  return 0;
}

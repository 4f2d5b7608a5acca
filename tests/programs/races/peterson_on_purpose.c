// Peterson's lock as old C programs have it: plain variables that race on purpose. In every
// interleaving it excludes; --races explore shows that, and the default that it races. Who would
// have to wait stays away.
// RUN: %cc -O0 -g %s -o %t
// RUN: %heddle run --json - %t
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "data-race"
// RUN: %heddle run --races explore --preemptions none --json - %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
// RUN: %cc -O0 -g -DWRONG %s -o %t
// RUN: %heddle run --races explore --preemptions none --json - %t
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "assertion"
#include <assert.h>
#include <pthread.h>

int wants[2], turn, inside;

static void enter(int me) {
  wants[me] = 1;
#ifndef WRONG
  turn = 1 - me;
  if (wants[1 - me] && turn == 1 - me) return;
#else
  if (turn == 1 - me) return;
  turn = 1 - me;
#endif
  assert(++inside == 1);
  --inside;
  wants[me] = 0;
}

static void* work(void* unused) {
  enter(1);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  enter(0);
  pthread_join(other, NULL);
  return 0;
}

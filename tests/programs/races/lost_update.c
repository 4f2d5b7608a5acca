// Two threads increment a plain counter: by default that is the failure. With --races explore the
// search goes on and finds what the race breaks: an update is lost. -O0: the optimiser may keep the
// counter in a register, and with it the race.
// RUN: %cc -O0 -g %s -o %t
// RUN: %heddle run --json - %t
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "data-race" and j["failures"][0]["object"] == "counter"
// RUN: %heddle run --races explore --json %t.json --out %t-out %t
// EXIT: 1
// JSON: [f["kind"] for f in j["failures"]] == ["assertion"]
// RUN: %heddle replay --times 3 %t-out/*-1.heddle
// EXIT: 1
// OUT: reproduced 3 times, the same to the step
// RUN: %heddle run --races ignore --json - %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
#include <assert.h>
#include <pthread.h>

int counter;

static void* increase(void* unused) {
  ++counter;
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, increase, NULL);
  pthread_create(&other, NULL, increase, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  assert(counter == 2);
  return 0;
}

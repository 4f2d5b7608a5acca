// Out of threads, for want of memory: pthread_create fails with EAGAIN, and the program goes on. In
// a fresh process each time: threads that were had once can be had again.
// RUN: %cc -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --isolation fork --preemptions 0 --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] > 1 and j["threads"] > 2
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>

static void* nothing(void* argument) { return argument; }

static rlim_t bytes_now(void) {
  unsigned long pages = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  assert(file != NULL && fscanf(file, "%lu", &pages) == 1);
  fclose(file);
  return pages * 4096;
}

int main(void) {
  enum { kRoom = 32 << 20, kTries = 64 };  // a thread's stack takes 8 MiB
  pthread_t threads[kTries];
  struct rlimit before, low;
  int made = 0, error = 0;
  assert(getrlimit(RLIMIT_AS, &before) == 0);
  low = before;
  low.rlim_cur = bytes_now() + kRoom;
  assert(setrlimit(RLIMIT_AS, &low) == 0);
  while (made < kTries && (error = pthread_create(&threads[made], NULL, nothing, NULL)) == 0)
    ++made;
  assert(error == EAGAIN && made > 0);
  assert(setrlimit(RLIMIT_AS, &before) == 0);
  while (made > 0) assert(pthread_join(threads[--made], NULL) == 0);
  assert(pthread_create(&threads[0], NULL, nothing, NULL) == 0);
  assert(pthread_join(threads[0], NULL) == 0);
  return 0;
}

// updates THREADS STEPS [split|own]: each thread increases a counter STEPS times: all the same in
// the end, in however many orders. With `split` an increase is a load and a store, and updates get
// lost: exit status 1. With `own` each thread has a counter of its own.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int counters[64];
static int steps;
static int split;

static void* work(void* argument) {
  atomic_int* counter = argument;
  for (int i = 0; i < steps; ++i) {
    if (split) {
      int seen = atomic_load(counter);
      atomic_store(counter, seen + 1);
    } else {
      atomic_fetch_add(counter, 1);
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  int count = argc > 1 ? atoi(argv[1]) : 2;
  steps = argc > 2 ? atoi(argv[2]) : 3;
  split = argc > 3 && strcmp(argv[3], "split") == 0;
  int own = argc > 3 && strcmp(argv[3], "own") == 0;
  pthread_t threads[64];
  for (int i = 0; i < count; ++i) {
    pthread_create(&threads[i], NULL, work, &counters[own ? i : 0]);
  }
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  int found = 0;
  for (int i = 0; i < (own ? count : 1); ++i) found += atomic_load(&counters[i]);
  printf("counter %d\n", found);
  return found == count * steps ? 0 : 1;
}

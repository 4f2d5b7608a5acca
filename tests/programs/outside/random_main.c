// main has the random numbers that it has natively, in every execution: with the seed that a
// process begins with, with srand, with states and parameters of its own; also if a thread seeds
// and uses its own meanwhile (natively that would be main's).
// COMPILERS: gcc clang
// RUN: %cc -O1 -g %s -o %t
// RUN: %t > %t.natively; wc -l < %t.natively
// OUT: ^7$
// RUN: %heddle run --show-output --json %t.json %t thread | grep -v passed > %t.controlled
// JSON: j["verdict"] == "passed" and j["executions"] > 1
// RUN: sort -u %t.controlled > %t.once; sort -u %t.natively | cmp - %t.once
// RUN: %heddle run --show-output --isolation none %t thread | grep -v passed | sort -u | cmp - %t.once
// RUN: %heddle run --show-output --isolation fork %t thread | grep -v passed | sort -u | cmp - %t.once
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

atomic_int step;

static void* work(void* argument) {
  step++;
  srand(3);
  srand48(3);
  unsigned short seed[3] = {7, 8, 9};
  seed48(seed);
  if (rand() == 0 && drand48() > 1) abort();
  return argument;
}

int main(int argc, char** argv) {
  (void)argv;
  pthread_t thread;
  printf("first %d %ld %.6f %ld %ld\n", rand(), random(), drand48(), lrand48(), mrand48());
  if (argc > 1) pthread_create(&thread, NULL, work, NULL);
  step++;
  static char state[64];
  char* old = initstate(5, state, sizeof state);
  printf("state %d", rand());
  printf(" %d", setstate(old) == state);
  printf(" %d", rand());
  printf(" %d", setstate(state) == old);
  printf(" %d\n", rand());
  setstate(old);
  printf("too small %d\n", initstate(1, state, 7) == NULL);
  unsigned short seed[3] = {7, 8, 9};
  unsigned short* last = seed48(seed);
  printf("seed48 %d %d %d %.6f\n", last[0], last[1], last[2], drand48());
  unsigned short parameters[7] = {1, 2, 3, 4, 5, 6, 7};
  lcong48(parameters);
  printf("lcong48 %.6f %.6f %ld %ld\n", drand48(), erand48(seed), nrand48(seed), jrand48(seed));
  srand48(3);
  printf("srand48 %.6f\n", drand48());
  if (argc > 1) pthread_join(thread, NULL);
  srand(42);
  printf("srand %d\n", rand());
  return 0;
}

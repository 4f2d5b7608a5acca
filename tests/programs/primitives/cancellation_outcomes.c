// Which ends are possible. A thread waits on a semaphore; main posts it and cancels the thread, in
// the order that the argument says. What main sees is its exit status: 4 cancelled, 3 not.
// RUN: %cc -O1 -g %s -o %t
// The post may let the thread through before the request comes, or not.
// RUN: %heddle run --strategy dfs --keep-going --json %t.json %t post-first
// EXIT: 1
// JSON: sorted(f["message"][-1] for f in j["failures"]) == ["3", "4"] and j["coverage"]["complete"]
// The request comes before anything could let the thread through.
// RUN: %heddle run --strategy dfs --keep-going --json %t.json %t cancel-first
// EXIT: 1
// JSON: [f["message"][-1] for f in j["failures"]] == ["4"] and j["coverage"]["complete"]
// In a loop that tests for it: after the first look or after the second, or never.
// RUN: %heddle run --strategy dfs --keep-going --json %t.json %t test
// EXIT: 1
// JSON: sorted(f["message"][-1] for f in j["failures"]) == ["3", "5", "6"] and j["coverage"]["complete"]
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static sem_t semaphore;
static int looks;

static void* wait_for_it(void* unused) {
  sem_wait(&semaphore);
  return unused;
}

static void* look_twice(void* unused) {
  pthread_testcancel();
  ++looks;
  pthread_testcancel();
  return unused;
}

int main(int count, char** arguments) {
  pthread_t thread;
  void* result;
  int tests = strcmp(arguments[count - 1], "test") == 0;
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, NULL, tests ? look_twice : wait_for_it, NULL);
  if (strcmp(arguments[1], "post-first") == 0) sem_post(&semaphore);
  pthread_cancel(thread);
  if (strcmp(arguments[1], "cancel-first") == 0) sem_post(&semaphore);
  pthread_join(thread, &result);
  if (result != PTHREAD_CANCELED) exit(3);
  exit(tests ? 5 + looks : 4);
}

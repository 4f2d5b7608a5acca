// Futexes through syscall: wait, wake, bit sets, requeue, compare-and-requeue.
// RUN: %cc -O1 -g %s -o %t
// RUN: for mode in wake timed bitset; do %t $mode; done
// The waiter is woken, or finds the word changed; it is never lost.
// RUN: %heddle run --preemptions none --json %t.json --show-output %t wake > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^wait' | tr '\n' ';'
// OUT: ^wait EAGAIN;wait woken;$
// RUN: %heddle run --preemptions none --json %t.json --show-output %t timed > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^wait' | tr '\n' ';'
// OUT: ^wait EAGAIN;wait ETIMEDOUT;wait woken;$
// A wake with bits passes the waiter that has none of them.
// RUN: %heddle run --preemptions none --json %t.json %t bitset
// JSON: j["verdict"] == "passed" and j["executions"] > 1
// One of two is woken, and it may be either; the other one is moved to another word, where a wake
// finds it. If only one waits, there is nobody to move.
// RUN: %heddle run --preemptions none --json %t.json --show-output %t requeue > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^moved' | tr '\n' ';'
// OUT: ^moved 0, first 1;moved 0, first 2;moved 1, first 1;moved 1, first 2;$
// RUN: %heddle run --preemptions none --json %t.json --show-output %t compare > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^moved' | tr '\n' ';'
// OUT: ^moved 0, first 1;moved 0, first 2;moved 1, first 1;moved 1, first 2;$
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word, other, first;

static void say(const char* line) { assert(write(1, line, strlen(line)) > 0); }

static int futex(atomic_int* address, int operation, int number, const void* limit,
                 atomic_int* second, int third) {
  long result =
      syscall(SYS_futex, address, operation | FUTEX_PRIVATE_FLAG, number, limit, second, third);
  return result < 0 ? -errno : (int)result;
}

static void say_result(int result) {
  if (result == 0) say("wait woken\n");
  if (result == -EAGAIN) say("wait EAGAIN\n");
  if (result == -ETIMEDOUT) say("wait ETIMEDOUT\n");
}

static void* change_and_wake(void* unused) {
  (void)unused;
  atomic_store(&word, 1);
  int woken = futex(&word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  assert(woken == 0 || woken == 1);
  return NULL;
}

static void wake(const struct timespec* limit) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, change_and_wake, NULL) == 0);
  say_result(futex(&word, FUTEX_WAIT, 0, limit, NULL, 0));
  assert(pthread_join(thread, NULL) == 0);
}

static void* wake_by_bits(void* unused) {
  (void)unused;
  assert(futex(&word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 4) == 0);
  atomic_store(&word, 1);
  futex(&word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 2 | 4);
  return NULL;
}

static void bitset(void) {
  pthread_t thread;
  assert(futex(&word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 0) == -EINVAL);
  assert(pthread_create(&thread, NULL, wake_by_bits, NULL) == 0);
  int result = futex(&word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 1 | 2);
  assert((result == 0 || result == -EAGAIN) && atomic_load(&word) == 1);
  assert(pthread_join(thread, NULL) == 0);
}

static void* wait_for_either(void* number) {
  int result = futex(&word, FUTEX_WAIT, 0, NULL, NULL, 0);
  assert(result == 0 || result == -EAGAIN);
  int nobody = 0;
  atomic_compare_exchange_strong(&first, &nobody, *(int*)number);
  return NULL;
}

static void requeue(int compare) {
  static int one = 1, two = 2;
  pthread_t threads[2];
  assert(pthread_create(&threads[0], NULL, wait_for_either, &one) == 0);
  assert(pthread_create(&threads[1], NULL, wait_for_either, &two) == 0);
  if (compare) assert(futex(&word, FUTEX_CMP_REQUEUE, 1, (void*)1, &other, 1) == -EAGAIN);
  atomic_store(&word, 1);
  int touched = compare ? futex(&word, FUTEX_CMP_REQUEUE, 1, (void*)1, &other, 1)
                        : futex(&word, FUTEX_REQUEUE, 1, (void*)1, &other, 0);
  int moved = futex(&other, FUTEX_WAKE, 1, NULL, NULL, 0);
  // Who was woken counts, and who was moved.
  assert(touched >= 0 && touched <= 2 && moved <= touched);
  for (int i = 0; i < 2; ++i) assert(pthread_join(threads[i], NULL) == 0);
  char line[64];
  snprintf(line, sizeof line, "moved %d, first %d\n", moved, atomic_load(&first));
  say(line);
}

int main(int count, char** arguments) {
  const struct timespec hour = {.tv_sec = 3600};
  assert(count == 2);
  if (strcmp(arguments[1], "wake") == 0) wake(NULL);
  if (strcmp(arguments[1], "timed") == 0) wake(&hour);
  if (strcmp(arguments[1], "bitset") == 0) bitset();
  if (strcmp(arguments[1], "requeue") == 0) requeue(0);
  if (strcmp(arguments[1], "compare") == 0) requeue(1);
  return 0;
}

// Threads made with attributes; joins that do not wait, or not for ever; keys whose destructors set
// values again.
// RUN: %cc -O1 -g %s -o %t
// RUN: for mode in attributes joins keys; do %t $mode; done
// RUN: %heddle run --preemptions none --json %t.json %t attributes
// JSON: j["verdict"] == "passed" and j["executions"] > 1
// The first look finds the thread ended or not; the limited join ends or times out.
// RUN: %heddle run --preemptions none --json %t.json --show-output %t joins > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^join' | tr '\n' ';'
// OUT: ^join EBUSY done;join EBUSY timed out;join done;$
// RUN: %heddle run --preemptions none --json %t.json %t keys
// JSON: j["verdict"] == "passed" and j["executions"] > 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_int done;

static void say(const char* line) { assert(write(1, line, strlen(line)) > 0); }

static void* look_at_oneself(void* detached) {
  pthread_attr_t attributes;
  int state;
  size_t size;
  assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
  assert(pthread_attr_getdetachstate(&attributes, &state) == 0);
  assert((state == PTHREAD_CREATE_DETACHED) == (detached != NULL));
  assert(pthread_attr_getstacksize(&attributes, &size) == 0 && size >= 256 * 1024);
  pthread_attr_destroy(&attributes);
  atomic_fetch_add(&done, 1);
  return detached;
}

static void attributes(void) {
  pthread_attr_t attributes;
  pthread_t detached, joined;
  size_t size;
  assert(pthread_attr_init(&attributes) == 0);
  assert(pthread_attr_setstacksize(&attributes, 256 * 1024) == 0);
  assert(pthread_attr_getstacksize(&attributes, &size) == 0 && size == 256 * 1024);
  assert(pthread_create(&joined, &attributes, look_at_oneself, NULL) == 0);
  assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_create(&detached, &attributes, look_at_oneself, &done) == 0);
  assert(pthread_attr_destroy(&attributes) == 0);
  assert(pthread_join(joined, NULL) == 0);
  assert(atomic_load(&done) >= 1);
  pthread_exit(NULL);  // the program ends with the detached thread
}

static void* nothing(void* argument) { return argument; }

static void joins(void) {
  pthread_t thread;
  void* result = NULL;
  struct timespec limit;
  assert(pthread_create(&thread, NULL, nothing, &limit) == 0);
  int error = pthread_tryjoin_np(thread, &result);
  if (error == 0) {
    assert(result == &limit);
    say("join done\n");
    return;
  }
  assert(error == EBUSY);
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 3600;
  error = pthread_timedjoin_np(thread, &result, &limit);
  say(error == 0 ? "join EBUSY done\n" : "join EBUSY timed out\n");
  if (error == 0) return;
  assert(error == ETIMEDOUT && pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, NULL) == 0);
}

static pthread_key_t again, never;
static int rounds;  // written by one thread, and read when it has been joined

static void set_again(void* value) {
  ++rounds;
  if ((intptr_t)value > 1) assert(pthread_setspecific(again, (void*)((intptr_t)value - 1)) == 0);
}
static void fail(void* value) {
  (void)value;
  assert(0);
}
static void* use_keys(void* argument) {
  assert(pthread_getspecific(again) == NULL && pthread_getspecific(never) == NULL);
  assert(pthread_setspecific(never, argument) == 0);
  assert(pthread_setspecific(never, NULL) == 0);
  if (argument != NULL) assert(pthread_setspecific(again, (void*)3) == 0);
  return NULL;
}

static void keys(void) {
  pthread_t first, second;
  assert(pthread_key_create(&again, set_again) == 0);
  assert(pthread_key_create(&never, fail) == 0);
  assert(pthread_create(&first, NULL, use_keys, &rounds) == 0);
  assert(pthread_create(&second, NULL, use_keys, NULL) == 0);
  assert(pthread_join(first, NULL) == 0 && pthread_join(second, NULL) == 0);
  assert(rounds == 3);
  assert(pthread_key_delete(again) == 0 && pthread_key_delete(never) == 0);
  assert(pthread_setspecific(again, &rounds) == EINVAL);
}

int main(int count, char** arguments) {
  assert(count == 2);
  if (strcmp(arguments[1], "attributes") == 0) attributes();
  if (strcmp(arguments[1], "joins") == 0) joins();
  if (strcmp(arguments[1], "keys") == 0) keys();
  return 0;
}

// The threads of C11: threads, mutexes, conditions, specific storage, once.
// RUN: %cc -std=c11 -O1 -g %s -o %t
// RUN: for mode in threads mutexes conditions storage; do %t $mode; done
// RUN: %heddle run --preemptions none --json %t.json %t threads
// JSON: j["verdict"] == "passed" and j["executions"] > 1
// RUN: %heddle run --preemptions none --json %t.json --show-output %t mutexes > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^lock' | tr '\n' ';'
// OUT: ^lock busy;lock done;lock timed out;$
// RUN: %heddle run --preemptions none --json %t.json --show-output %t conditions > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^wait' | tr '\n' ';'
// OUT: ^wait done;wait timed out;$
// RUN: %heddle run --preemptions none --json %t.json %t storage
// JSON: j["verdict"] == "passed" and j["executions"] > 1
#define _GNU_SOURCE
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static atomic_int count;
static mtx_t mutex;
static cnd_t condition;
static int ready, value;  // guarded by the mutex
static tss_t storage;
static once_flag once = ONCE_FLAG_INIT;

static void say(const char* line) { assert(write(1, line, strlen(line)) > 0); }

static struct timespec in_an_hour(void) {
  struct timespec now;
  assert(timespec_get(&now, TIME_UTC) == TIME_UTC);
  now.tv_sec += 3600;
  return now;
}

static void increase_once(void) { ++value; }

static int leave(void* argument) {
  call_once(&once, increase_once);
  assert(value == 1 && !thrd_equal(*(thrd_t*)argument, thrd_current()));
  atomic_fetch_add(&count, 1);
  thrd_yield();
  thrd_exit(7);
}

static void threads(void) {
  thrd_t self = thrd_current(), first, second;
  int result = 0;
  assert(thrd_create(&first, leave, &self) == thrd_success);
  assert(thrd_create(&second, leave, &self) == thrd_success);
  assert(thrd_detach(second) == thrd_success);
  assert(thrd_sleep(&(struct timespec){.tv_nsec = 1000}, NULL) == 0);
  assert(thrd_join(first, &result) == thrd_success && result == 7 && atomic_load(&count) >= 1);
}

static int lock_and_unlock(void* unused) {
  (void)unused;
  assert(mtx_lock(&mutex) == thrd_success);
  ++value;
  assert(mtx_unlock(&mutex) == thrd_success);
  return 0;
}

static void mutexes(void) {
  thrd_t thread;
  const struct timespec limit = in_an_hour();
  assert(mtx_init(&mutex, mtx_timed | mtx_recursive) == thrd_success);
  assert(thrd_create(&thread, lock_and_unlock, NULL) == thrd_success);
  int attempt = mtx_trylock(&mutex);
  if (attempt == thrd_busy) {
    say("lock busy\n");
    attempt = mtx_timedlock(&mutex, &limit);
    if (attempt == thrd_timedout) say("lock timed out\n");
  }
  if (attempt == thrd_success) {
    assert(mtx_lock(&mutex) == thrd_success);
    ++value;
    assert(mtx_unlock(&mutex) == thrd_success && mtx_unlock(&mutex) == thrd_success);
    say("lock done\n");
  }
  assert(thrd_join(thread, NULL) == thrd_success);
  mtx_destroy(&mutex);
}

static int make_ready(void* all) {
  assert(mtx_lock(&mutex) == thrd_success);
  ready = 1;
  assert(mtx_unlock(&mutex) == thrd_success);
  assert((all != NULL ? cnd_broadcast(&condition) : cnd_signal(&condition)) == thrd_success);
  return 0;
}

static void conditions(void) {
  thrd_t thread;
  const struct timespec limit = in_an_hour();
  assert(mtx_init(&mutex, mtx_plain) == thrd_success && cnd_init(&condition) == thrd_success);
  assert(thrd_create(&thread, make_ready, &mutex) == thrd_success);
  assert(mtx_lock(&mutex) == thrd_success);
  while (!ready) assert(cnd_wait(&condition, &mutex) == thrd_success);
  ready = 0;
  assert(mtx_unlock(&mutex) == thrd_success);
  assert(thrd_join(thread, NULL) == thrd_success);

  assert(thrd_create(&thread, make_ready, NULL) == thrd_success);
  assert(mtx_lock(&mutex) == thrd_success);
  int result = thrd_success;
  while (!ready && result == thrd_success) result = cnd_timedwait(&condition, &mutex, &limit);
  assert(result == thrd_success || result == thrd_timedout);
  say(ready ? "wait done\n" : "wait timed out\n");
  assert(mtx_unlock(&mutex) == thrd_success);
  assert(thrd_join(thread, NULL) == thrd_success);
  cnd_destroy(&condition);
}

static void destroy(void* amount) { atomic_fetch_add(&count, *(int*)amount); }

static int store(void* amount) {
  assert(tss_get(storage) == NULL);
  assert(tss_set(storage, amount) == thrd_success && tss_get(storage) == amount);
  return 0;
}

static void storing(void) {
  static int ten = 10, hundred = 100;
  thrd_t first, second;
  assert(tss_create(&storage, destroy) == thrd_success);
  assert(thrd_create(&first, store, &ten) == thrd_success);
  assert(thrd_create(&second, store, &hundred) == thrd_success);
  assert(thrd_join(first, NULL) == thrd_success && thrd_join(second, NULL) == thrd_success);
  assert(atomic_load(&count) == 110);
  tss_delete(storage);
}

int main(int argument_count, char** arguments) {
  assert(argument_count == 2);
  if (strcmp(arguments[1], "threads") == 0) threads();
  if (strcmp(arguments[1], "mutexes") == 0) mutexes();
  if (strcmp(arguments[1], "conditions") == 0) conditions();
  if (strcmp(arguments[1], "storage") == 0) storing();
  return 0;
}

// Create, join, detach, exit, self, clean-up handlers, keys with destructors.
// RUN: %cc -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --preemptions none --json %t.json %t
// JSON: j["verdict"] == "passed"
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int cleaned, destroyed;
static pthread_key_t key;
static pthread_t self_of_thread;

static void clean(void* amount) { atomic_fetch_add(&cleaned, (int)(size_t)amount); }
static void destroy(void* value) { atomic_fetch_add(&destroyed, (int)(size_t)value); }

static void* leave_early(void* argument) {
  self_of_thread = pthread_self();
  assert(pthread_getspecific(key) == NULL);
  assert(pthread_setspecific(key, (void*)10) == 0);
  pthread_cleanup_push(clean, (void*)1);
  pthread_cleanup_push(clean, (void*)2);
  pthread_cleanup_push(clean, (void*)4);
  pthread_cleanup_pop(0);
  pthread_exit(argument);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return NULL;
}

static void* nothing(void* argument) { return argument; }

int main(void) {
  pthread_t thread, detached;
  void* result;
  assert(pthread_key_create(&key, destroy) == 0);
  assert(pthread_create(&thread, NULL, leave_early, &result) == 0);
  assert(pthread_create(&detached, NULL, nothing, NULL) == 0);
  assert(pthread_detach(detached) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == &result && pthread_equal(self_of_thread, thread));
  assert(!pthread_equal(pthread_self(), thread));
  assert(cleaned == 3 && destroyed == 10);
  assert(pthread_join(pthread_self(), NULL) == EDEADLK);
  return 0;
}

// Threads that wait for a plain variable to change. There is no operation in the loop: it becomes
// one, so that the others can go.
// - `flag`, `count`, `two`: one place in the loop, a condition with arithmetic, two variables;
// - `call`: the variable is read in a function that the loop calls;
// - `work`: a long loop that ends by itself is none, however often it reads the same.
// RUN: %cc -O0 -g %s -o %t
// RUN: for what in flag count two call; do %heddle run --races explore --seconds 20 --json %t.$what.json %t $what || exit 1; grep -q '"verdict": "passed"' %t.$what.json || exit 1; done
// RUN: for what in flag count two call; do %heddle run --races ignore --seconds 20 --json %t.$what.json %t $what || exit 1; grep -q '"verdict": "passed"' %t.$what.json || exit 1; done
// RUN: %heddle run --races explore --strategy random --executions 50 --json %t.json %t flag
// EXIT: 0
// JSON: j["executions"] == 50 and j["learning"] > 0
// RUN: %heddle run --json %t.json %t flag
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "data-race" and j["failures"][0]["location"].startswith("plain_spin.c:")
// RUN: %heddle run --json %t.json %t call
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "data-race"
// RUN: %heddle run --executions 1 --json %t.json %t work
// EXIT: 0
// JSON: j["executions"] == 1 and j["learning"] == 0 and not j["failures"]
#include <pthread.h>
#include <string.h>

static int done, limit, one, another;
static long sum;

static int is_done(void) { return done; }

static void* wait_for_flag(void* unused) {
  while (!done) {
  }
  return unused;
}

static void* wait_for_count(void* unused) {
  while (limit * 2 < 6) {
  }
  return unused;
}

static void* wait_for_two(void* unused) {
  while (one == 0 || another == 0) {
  }
  return unused;
}

static void* wait_in_call(void* unused) {
  while (!is_done()) {
  }
  return unused;
}

static void* work(void* unused) {
  for (int i = 0; i < 6000000; ++i) sum += limit;
  return unused;
}

static void* set_all(void* unused) {
  limit = 3;
  one = 1;
  another = 1;
  done = 1;
  return unused;
}

static void* nothing(void* unused) { return unused; }

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  void* (*waiter)(void*) = !strcmp(what, "flag")    ? wait_for_flag
                           : !strcmp(what, "count") ? wait_for_count
                           : !strcmp(what, "two")   ? wait_for_two
                           : !strcmp(what, "call")  ? wait_in_call
                                                    : work;
  pthread_t threads[2];
  pthread_create(&threads[0], 0, waiter, 0);
  pthread_create(&threads[1], 0, waiter == work ? nothing : set_all, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}

// Reader-writer locks, spin locks, barriers, semaphores with and without names, and conditions on
// both clocks, each with all its outcomes.
// RUN: %cc -O1 -g %s -o %t
// RUN: for mode in rwlock spin barrier semaphore named condition; do %t $mode; done
// The try for reading fails only beside the writer; the limited attempt to write never beside
// nobody.
// RUN: %heddle run --preemptions none --json %t.json --show-output %t rwlock > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^read' | tr '\n' ';'
// OUT: ^read EBUSY, write done;read EBUSY, write timed out;read done, write done;read done, write timed out;$
// RUN: %heddle run --preemptions none --json %t.json --show-output %t spin > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^spin' | tr '\n' ';'
// OUT: ^spin EBUSY;spin done;$
// Exactly one of those who meet is told so.
// RUN: %heddle run --preemptions none --json %t.json --show-output %t barrier > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^serial' | tr '\n' ';'
// OUT: ^serial 0 1;serial 1 0;$
// RUN: %heddle run --preemptions none --json %t.json --show-output %t semaphore > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^wait' | tr '\n' ';'
// OUT: ^wait EAGAIN, then done;wait EAGAIN, then timed out;wait done;$
// RUN: %heddle run --preemptions none --json %t.json %t named
// JSON: j["verdict"] == "passed" and j["executions"] > 1
// RUN: %heddle run --preemptions none --json %t.json --show-output %t condition > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^wait' | tr '\n' ';'
// OUT: ^wait done done;wait done timed out;wait timed out done;wait timed out timed out;$
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int value;

static void say(const char* line) { assert(write(1, line, strlen(line)) > 0); }

static struct timespec in_an_hour(clockid_t clock) {
  struct timespec now;
  assert(clock_gettime(clock, &now) == 0);
  now.tv_sec += 3600;
  return now;
}

static pthread_t start(void* (*function)(void*)) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, function, NULL) == 0);
  return thread;
}

static pthread_rwlock_t rwlock;

static void* write_once(void* unused) {
  (void)unused;
  assert(pthread_rwlock_wrlock(&rwlock) == 0);
  ++value;
  assert(pthread_rwlock_unlock(&rwlock) == 0);
  return NULL;
}

static void rwlocks(void) {
  const struct timespec wall = in_an_hour(CLOCK_REALTIME), steady = in_an_hour(CLOCK_MONOTONIC);
  char line[64];
  assert(pthread_rwlock_init(&rwlock, NULL) == 0);
  assert(pthread_rwlock_rdlock(&rwlock) == 0 && pthread_rwlock_timedrdlock(&rwlock, &wall) == 0);
  assert(pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &steady) == 0);
  assert(pthread_rwlock_trywrlock(&rwlock) == EBUSY);
  for (int i = 0; i < 3; ++i) assert(pthread_rwlock_unlock(&rwlock) == 0);

  pthread_t thread = start(write_once);
  int read = pthread_rwlock_tryrdlock(&rwlock);
  if (read == 0) assert(pthread_rwlock_unlock(&rwlock) == 0);
  int write = pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &steady);
  if (write == 0) assert(++value <= 2 && pthread_rwlock_unlock(&rwlock) == 0);
  snprintf(line, sizeof line, "read %s, write %s\n", read == EBUSY ? "EBUSY" : "done",
           write == ETIMEDOUT ? "timed out" : "done");
  say(line);
  assert(pthread_join(thread, NULL) == 0);
  assert(pthread_rwlock_timedwrlock(&rwlock, &wall) == 0 && pthread_rwlock_unlock(&rwlock) == 0);
  assert(pthread_rwlock_destroy(&rwlock) == 0);
}

static pthread_spinlock_t spin;

static void* spin_once(void* unused) {
  (void)unused;
  assert(pthread_spin_lock(&spin) == 0);
  ++value;
  assert(pthread_spin_unlock(&spin) == 0);
  return NULL;
}

static void spins(void) {
  assert(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE) == 0);
  pthread_t thread = start(spin_once);
  int result = pthread_spin_trylock(&spin);
  if (result == 0) {
    ++value;
    assert(pthread_spin_unlock(&spin) == 0);
  }
  say(result == EBUSY ? "spin EBUSY\n" : "spin done\n");
  assert(pthread_join(thread, NULL) == 0);
  assert(pthread_spin_destroy(&spin) == 0);
}

static pthread_barrier_t barrier;
static int cells[2], serial[2];

static void meet(int index) {
  cells[index] = 1;
  int result = pthread_barrier_wait(&barrier);
  assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
  assert(cells[0] + cells[1] == 2);
  serial[index] = result != 0;
}
static void* meet_as_second(void* unused) {
  meet(1);
  return unused;
}

static void barriers(void) {
  char line[64];
  assert(pthread_barrier_init(&barrier, NULL, 2) == 0);
  pthread_t thread = start(meet_as_second);
  meet(0);
  assert(pthread_join(thread, NULL) == 0 && pthread_barrier_destroy(&barrier) == 0);
  snprintf(line, sizeof line, "serial %d %d\n", serial[0], serial[1]);
  say(line);
}

static sem_t unnamed;
static sem_t* semaphore = &unnamed;

static void* post(void* unused) {
  value = 1;
  assert(sem_post(semaphore) == 0);
  return unused;
}

static void semaphores(void) {
  const struct timespec limit = in_an_hour(CLOCK_REALTIME);
  int count;
  assert(sem_init(semaphore, 0, 0) == 0 && sem_getvalue(semaphore, &count) == 0 && count == 0);
  pthread_t thread = start(post);
  if (sem_trywait(semaphore) == 0) {
    assert(value == 1);
    say("wait done\n");
  } else {
    assert(errno == EAGAIN);
    int result = sem_timedwait(semaphore, &limit);
    assert(result == 0 || errno == ETIMEDOUT);
    say(result == 0 ? "wait EAGAIN, then done\n" : "wait EAGAIN, then timed out\n");
  }
  assert(pthread_join(thread, NULL) == 0 && sem_destroy(semaphore) == 0);
}

static void named(void) {
  const struct timespec past = {0, 0};
  char name[64];
  snprintf(name, sizeof name, "/heddle-test-%ld", (long)getpid());
  semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
  assert(semaphore != SEM_FAILED && sem_open(name, O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED);
  assert(errno == EEXIST && sem_open(name, 0) == semaphore && sem_close(semaphore) == 0);
  pthread_t thread = start(post);
  assert(sem_wait(semaphore) == 0 && value == 1);
  assert(sem_clockwait(semaphore, CLOCK_MONOTONIC, &past) == -1 && errno == ETIMEDOUT);
  assert(pthread_join(thread, NULL) == 0);
  assert(sem_unlink(name) == 0 && sem_close(semaphore) == 0);
  assert(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t on_steady, on_wall = PTHREAD_COND_INITIALIZER;
static int ready;  // guarded by the mutex

static void* make_ready(void* unused) {
  for (int i = 1; i <= 2; ++i) {
    assert(pthread_mutex_lock(&mutex) == 0);
    ready = i;
    assert(i == 1 ? pthread_cond_signal(&on_steady) == 0 : pthread_cond_broadcast(&on_wall) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
  return unused;
}

static void conditions(void) {
  pthread_condattr_t attributes;
  clockid_t clock;
  assert(pthread_condattr_init(&attributes) == 0);
  assert(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
  assert(pthread_condattr_getclock(&attributes, &clock) == 0 && clock == CLOCK_MONOTONIC);
  assert(pthread_cond_init(&on_steady, &attributes) == 0);
  const struct timespec steady = in_an_hour(CLOCK_MONOTONIC), wall = in_an_hour(CLOCK_REALTIME);
  pthread_t thread = start(make_ready);
  int first = 0, second = 0;
  assert(pthread_mutex_lock(&mutex) == 0);
  while (ready < 1 && first == 0) first = pthread_cond_timedwait(&on_steady, &mutex, &steady);
  while (ready < 2 && second == 0)
    second = pthread_cond_clockwait(&on_wall, &mutex, CLOCK_REALTIME, &wall);
  assert(pthread_mutex_unlock(&mutex) == 0);
  char line[64];
  snprintf(line, sizeof line, "wait %s %s\n", first == 0 ? "done" : "timed out",
           second == 0 ? "done" : "timed out");
  say(line);
  // Whoever is late sees that the time has come.
  const struct timespec now = in_an_hour(CLOCK_MONOTONIC);
  if (first == ETIMEDOUT) assert(now.tv_sec - 3600 >= steady.tv_sec);
  assert(pthread_join(thread, NULL) == 0);
  assert(pthread_cond_destroy(&on_steady) == 0 && pthread_cond_destroy(&on_wall) == 0);
}

int main(int count, char** arguments) {
  assert(count == 2);
  if (strcmp(arguments[1], "rwlock") == 0) rwlocks();
  if (strcmp(arguments[1], "spin") == 0) spins();
  if (strcmp(arguments[1], "barrier") == 0) barriers();
  if (strcmp(arguments[1], "semaphore") == 0) semaphores();
  if (strcmp(arguments[1], "named") == 0) named();
  if (strcmp(arguments[1], "condition") == 0) conditions();
  return 0;
}

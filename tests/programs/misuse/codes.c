// Where a standard or glibc promises a code, the program gets it: natively and under control alike.
// RUN: %cc -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --strategy dfs --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] > 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#define FAILS(call, code) (errno = 0, assert((call) == -1), assert(errno == (code)))

static const struct timespec past = {1, 0};
static const struct timespec invalid = {1, 1000000000};
static const struct timespec negative = {1, -1};

static pthread_mutex_t mutex_of(int type) {
  pthread_mutexattr_t attributes;
  pthread_mutex_t mutex;
  assert(pthread_mutexattr_init(&attributes) == 0);
  assert(pthread_mutexattr_settype(&attributes, type) == 0);
  assert(pthread_mutex_init(&mutex, &attributes) == 0);
  return mutex;
}

static pthread_mutex_t checking, recursive, normal, held_by_main;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

// On what main holds.
static void* other(void* unused) {
  (void)unused;
  assert(pthread_mutex_unlock(&checking) == EPERM);
  assert(pthread_mutex_unlock(&recursive) == EPERM);
  assert(pthread_cond_wait(&condition, &checking) == EPERM);
  assert(pthread_cond_timedwait(&condition, &recursive, &past) == EPERM);
  assert(pthread_mutex_destroy(&checking) == EBUSY);
  assert(pthread_mutex_trylock(&checking) == EBUSY);
  assert(pthread_mutex_trylock(&recursive) == EBUSY);
  assert(pthread_mutex_trylock(&held_by_main) == EBUSY);
  assert(pthread_mutex_timedlock(&held_by_main, &past) == ETIMEDOUT);
  assert(pthread_mutex_timedlock(&held_by_main, &invalid) == EINVAL);
  assert(pthread_mutex_timedlock(&held_by_main, &negative) == EINVAL);
  assert(pthread_mutex_clocklock(&held_by_main, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
  assert(pthread_mutex_clocklock(&held_by_main, CLOCK_BOOTTIME, &past) == EINVAL);
  assert(pthread_rwlock_tryrdlock(&rwlock) == EBUSY);
  assert(pthread_rwlock_trywrlock(&rwlock) == EBUSY);
  assert(pthread_rwlock_timedrdlock(&rwlock, &past) == ETIMEDOUT);
  assert(pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
  return NULL;
}

static void mutexes(void) {
  pthread_t thread;
  checking = mutex_of(PTHREAD_MUTEX_ERRORCHECK);
  recursive = mutex_of(PTHREAD_MUTEX_RECURSIVE);
  normal = mutex_of(PTHREAD_MUTEX_NORMAL);
  held_by_main = mutex_of(PTHREAD_MUTEX_NORMAL);

  assert(pthread_mutex_unlock(&checking) == EPERM);
  assert(pthread_mutex_unlock(&recursive) == EPERM);
  assert(pthread_mutex_lock(&checking) == 0);
  assert(pthread_mutex_lock(&checking) == EDEADLK);
  assert(pthread_mutex_timedlock(&checking, &past) == EDEADLK);
  assert(pthread_mutex_trylock(&checking) == EBUSY);
  assert(pthread_mutex_destroy(&checking) == EBUSY);

  assert(pthread_mutex_lock(&recursive) == 0);
  recursive.__data.__count += UINT_MAX - 1;  // so often locked: the next time is one too many
  recursive.__data.__count |= 1;             // natively it counts from 1, here from 0
  assert(pthread_mutex_lock(&recursive) == EAGAIN);
  assert(pthread_mutex_trylock(&recursive) == EAGAIN);
  recursive.__data.__count -= UINT_MAX - 1;
  recursive.__data.__count = recursive.__data.__count != 0;

  // A mutex that can be had at once is had, whatever the time says.
  assert(pthread_mutex_timedlock(&normal, &past) == 0);
  assert(pthread_mutex_trylock(&normal) == EBUSY);
  assert(pthread_mutex_timedlock(&normal, &past) == ETIMEDOUT);
  assert(pthread_mutex_unlock(&normal) == 0);
  assert(pthread_mutex_timedlock(&normal, &invalid) == 0);
  assert(pthread_mutex_clocklock(&normal, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
  assert(pthread_mutex_unlock(&normal) == 0);

  assert(pthread_mutex_lock(&held_by_main) == 0);
  assert(pthread_rwlock_wrlock(&rwlock) == 0);
  assert(pthread_create(&thread, NULL, other, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(pthread_rwlock_wrlock(&rwlock) == EDEADLK);
  assert(pthread_rwlock_rdlock(&rwlock) == EDEADLK);
  assert(pthread_rwlock_timedwrlock(&rwlock, &past) == EDEADLK);
  assert(pthread_rwlock_unlock(&rwlock) == 0);
  assert(pthread_mutex_unlock(&held_by_main) == 0);
  assert(pthread_mutex_unlock(&checking) == 0);
  assert(pthread_mutex_destroy(&checking) == 0);
}

static void reader_writer_locks(void) {
  assert(pthread_rwlock_timedrdlock(&rwlock, &invalid) == EINVAL);
  assert(pthread_rwlock_timedwrlock(&rwlock, &negative) == EINVAL);
  assert(pthread_rwlock_clockrdlock(&rwlock, CLOCK_BOOTTIME, &past) == EINVAL);
  assert(pthread_rwlock_clockwrlock(&rwlock, CLOCK_BOOTTIME, &past) == EINVAL);
  assert(pthread_rwlock_rdlock(&rwlock) == 0);
  assert(pthread_rwlock_timedwrlock(&rwlock, &past) == ETIMEDOUT);
  assert(pthread_rwlock_trywrlock(&rwlock) == EBUSY);
  assert(pthread_rwlock_tryrdlock(&rwlock) == 0);
  assert(pthread_rwlock_unlock(&rwlock) == 0);
  assert(pthread_rwlock_unlock(&rwlock) == 0);
}

static void conditions(void) {
  assert(pthread_mutex_lock(&normal) == 0);
  assert(pthread_cond_timedwait(&condition, &normal, &invalid) == EINVAL);
  assert(pthread_cond_timedwait(&condition, &normal, &negative) == EINVAL);
  assert(pthread_cond_clockwait(&condition, &normal, CLOCK_BOOTTIME, &past) == EINVAL);
  assert(pthread_cond_timedwait(&condition, &normal, &past) == ETIMEDOUT);
  assert(pthread_mutex_unlock(&normal) == 0);
}

static void semaphores(void) {
  sem_t semaphore;
  FAILS(sem_init(&semaphore, 0, (unsigned)SEM_VALUE_MAX + 1), EINVAL);
  assert(sem_init(&semaphore, 0, SEM_VALUE_MAX) == 0);
  FAILS(sem_post(&semaphore), EOVERFLOW);
  assert(sem_destroy(&semaphore) == 0);
  assert(sem_init(&semaphore, 0, 0) == 0);
  FAILS(sem_trywait(&semaphore), EAGAIN);
  FAILS(sem_timedwait(&semaphore, &past), ETIMEDOUT);
  FAILS(sem_timedwait(&semaphore, &invalid), EINVAL);
  FAILS(sem_timedwait(&semaphore, &negative), EINVAL);
  FAILS(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past), ETIMEDOUT);
  FAILS(sem_clockwait(&semaphore, CLOCK_BOOTTIME, &past), EINVAL);
  assert(sem_destroy(&semaphore) == 0);

  char name[256];
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  name[0] = '/';
  errno = 0;
  assert(sem_open("/heddle-no-such-semaphore", 0) == SEM_FAILED && errno == ENOENT);
  assert(sem_open(name, O_CREAT, 0600, 1) == SEM_FAILED && errno == ENAMETOOLONG);
  assert(sem_open("/", O_CREAT, 0600, 1) == SEM_FAILED && errno == EINVAL);
  assert(sem_open("/a/b", O_CREAT, 0600, 1) == SEM_FAILED && errno == EINVAL);
  unsigned many = (unsigned)SEM_VALUE_MAX + 1;
  assert(sem_open("/heddle-codes", O_CREAT, 0600, many) == SEM_FAILED && errno == EINVAL);
  sem_t* named = sem_open("/heddle-codes", O_CREAT, 0600, 1);
  assert(named != SEM_FAILED);
  assert(sem_open("heddle-codes", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
  sem_t* same = sem_open("heddle-codes", 0);
  assert(same != SEM_FAILED && sem_trywait(same) == 0);
  FAILS(sem_trywait(named), EAGAIN);
  assert(sem_close(named) == 0 && sem_close(same) == 0);
  assert(sem_unlink("/heddle-codes") == 0);
  FAILS(sem_unlink("/heddle-codes"), ENOENT);
}

static void* wait_for(void* semaphore) {
  while (sem_wait(semaphore) != 0) {
  }
  return semaphore;
}

static void threads(void) {
  pthread_t thread;
  sem_t go_on;
  void* result = NULL;
  assert(pthread_join(pthread_self(), NULL) == EDEADLK);
  assert(sem_init(&go_on, 0, 0) == 0);
  assert(pthread_create(&thread, NULL, wait_for, &go_on) == 0);
  assert(pthread_tryjoin_np(thread, &result) == EBUSY);
  assert(pthread_timedjoin_np(thread, &result, &past) == ETIMEDOUT);
  assert(pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
  assert(pthread_clockjoin_np(thread, &result, CLOCK_BOOTTIME, &past) == EINVAL);
  assert(sem_post(&go_on) == 0);
  assert(pthread_join(thread, &result) == 0 && result == &go_on);
}

static void the_rest(void) {
  pthread_barrier_t barrier;
  pthread_spinlock_t spin;
  pthread_key_t keys[PTHREAD_KEYS_MAX + 1];
  int made = 0;
  assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
  assert(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE) == 0);
  assert(pthread_spin_lock(&spin) == 0 && pthread_spin_trylock(&spin) == EBUSY);
  assert(pthread_spin_unlock(&spin) == 0);
  while (pthread_key_create(&keys[made], NULL) == 0) ++made;
  assert(pthread_key_create(&keys[made], NULL) == EAGAIN);
  assert(pthread_key_delete(keys[0]) == 0);
  assert(pthread_key_delete(keys[0]) == EINVAL);
  assert(pthread_setspecific(keys[0], &made) == EINVAL);
  while (--made > 0) assert(pthread_key_delete(keys[made]) == 0);

  FAILS(nanosleep(&invalid, NULL), EINVAL);
  FAILS(nanosleep(&negative, NULL), EINVAL);
  assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &invalid, NULL) == EINVAL);
  assert(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &past, NULL) == EINVAL);

  mtx_t mutex;
  assert(mtx_init(&mutex, mtx_plain) == thrd_success);
  assert(mtx_lock(&mutex) == thrd_success);
  assert(mtx_trylock(&mutex) == thrd_busy);
  assert(mtx_timedlock(&mutex, &past) == thrd_timedout);
  assert(mtx_unlock(&mutex) == thrd_success);
  mtx_destroy(&mutex);
}

int main(void) {
  mutexes();
  reader_writer_locks();
  conditions();
  semaphores();
  threads();
  the_rest();
  return 0;
}

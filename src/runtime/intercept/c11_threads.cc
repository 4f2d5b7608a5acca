// C11 threads.h: glibc's mtx_t, cnd_t, once_flag and tss_t are the POSIX ones under other names,
// and so are they here. The calls go through the interceptors of this library, so they are under
// control when those are, and native when those are.
#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

#include "runtime/real.h"
#include "runtime/runtime.h"

namespace {

int to_c11(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case EBUSY:
      return thrd_busy;
    case ETIMEDOUT:
      return thrd_timedout;
    case ENOMEM:
    case EAGAIN:
      return thrd_nomem;
    default:
      return thrd_error;
  }
}

auto* posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
auto* posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

// thrd_start_t returns int; a thread function of POSIX a pointer. The x86-64 calling convention
// permits neither to be called as the other without care for the upper half, hence the trampoline.
struct Start {
  thrd_start_t function;
  void* argument;
};

void* run_start(void* memory) {
  Start start = *static_cast<Start*>(memory);
  free(memory);
  return reinterpret_cast<void*>(static_cast<intptr_t>(start.function(start.argument)));
}

}  // namespace

HEDDLE_EXPORT int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  auto* start = static_cast<Start*>(malloc(sizeof(Start)));
  if (start == nullptr) return thrd_nomem;
  *start = {function, argument};
  int error = pthread_create(thread, nullptr, run_start, start);
  if (error != 0) free(start);
  return to_c11(error);
}

HEDDLE_EXPORT int thrd_join(thrd_t thread, int* result) {
  void* value = nullptr;
  int error = pthread_join(thread, &value);
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
  return to_c11(error);
}

HEDDLE_EXPORT int thrd_detach(thrd_t thread) { return to_c11(pthread_detach(thread)); }
HEDDLE_EXPORT void thrd_exit(int result) {
  pthread_exit(reinterpret_cast<void*>(static_cast<intptr_t>(result)));
}
HEDDLE_EXPORT void thrd_yield() { sched_yield(); }

HEDDLE_EXPORT int thrd_sleep(const timespec* duration, timespec* remaining) {
  if (nanosleep(duration, remaining) == 0) return 0;
  return errno == EINTR ? -1 : -2;
}

HEDDLE_EXPORT int mtx_init(mtx_t* mutex, int type) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  if ((type & mtx_recursive) != 0) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  int error = pthread_mutex_init(posix(mutex), &attributes);
  pthread_mutexattr_destroy(&attributes);
  return to_c11(error);
}

HEDDLE_EXPORT int mtx_lock(mtx_t* mutex) { return to_c11(pthread_mutex_lock(posix(mutex))); }
HEDDLE_EXPORT int mtx_trylock(mtx_t* mutex) { return to_c11(pthread_mutex_trylock(posix(mutex))); }
HEDDLE_EXPORT int mtx_timedlock(mtx_t* mutex, const timespec* limit) {
  return to_c11(pthread_mutex_timedlock(posix(mutex), limit));
}
HEDDLE_EXPORT int mtx_unlock(mtx_t* mutex) { return to_c11(pthread_mutex_unlock(posix(mutex))); }
HEDDLE_EXPORT void mtx_destroy(mtx_t* mutex) { pthread_mutex_destroy(posix(mutex)); }

HEDDLE_EXPORT int cnd_init(cnd_t* condition) {
  return to_c11(pthread_cond_init(posix(condition), nullptr));
}
HEDDLE_EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return to_c11(pthread_cond_wait(posix(condition), posix(mutex)));
}
HEDDLE_EXPORT int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* limit) {
  return to_c11(pthread_cond_timedwait(posix(condition), posix(mutex), limit));
}
HEDDLE_EXPORT int cnd_signal(cnd_t* condition) {
  return to_c11(pthread_cond_signal(posix(condition)));
}
HEDDLE_EXPORT int cnd_broadcast(cnd_t* condition) {
  return to_c11(pthread_cond_broadcast(posix(condition)));
}
HEDDLE_EXPORT void cnd_destroy(cnd_t* condition) { pthread_cond_destroy(posix(condition)); }

HEDDLE_EXPORT void call_once(once_flag* flag, void (*function)()) {
  pthread_once(reinterpret_cast<pthread_once_t*>(flag), function);
}
HEDDLE_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  return to_c11(pthread_key_create(key, destructor));
}
HEDDLE_EXPORT void* tss_get(tss_t key) { return pthread_getspecific(key); }
HEDDLE_EXPORT int tss_set(tss_t key, void* value) {
  return to_c11(pthread_setspecific(key, value));
}
HEDDLE_EXPORT void tss_delete(tss_t key) { pthread_key_delete(key); }

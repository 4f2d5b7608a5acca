// POSIX semaphores, unnamed and named. A named one lives as long as the execution: nothing of it
// reaches the file system.
#include "runtime/sync/semaphore.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

#include "runtime/detect/heap.h"
#include "runtime/detect/misuse.h"
#include "runtime/intercept/fail.h"
#include "runtime/intercept/named_semaphores.h"
#include "runtime/intercept/time.h"
#include "runtime/isolate/arena.h"
#include "runtime/real.h"

namespace heddle::runtime {

using wire::Op;

namespace {

void check_alive(const Semaphore& semaphore, uint64_t pc) {
  check_object(semaphore.object(), sizeof(sem_t), pc);
  if (HEDDLE_UNLIKELY(semaphore.is_destroyed()))
    end_with_use_of_destroyed("semaphore", semaphore.object(), pc);
}

int wait(sem_t* handle, int64_t deadline, uint64_t pc) {
  Semaphore semaphore(handle);
  if (!wait_until_permitted(Op::sem_wait, semaphore.object(), Semaphore::can_wait, deadline, pc,
                            Cancellation::point)) {
    return fail(ETIMEDOUT);
  }
  check_alive(semaphore, pc);
  semaphore.take();
  return 0;
}

int timed_wait(sem_t* semaphore, clockid_t clock, const timespec* limit, uint64_t pc) {
  if (!is_valid(limit) || !can_wait_by(clock)) return fail(EINVAL);
  return wait(semaphore, deadline_of(clock, limit), pc);
}

int destroy(sem_t* handle, uint64_t pc) {
  Semaphore semaphore(handle);
  reach(wire::Op::destroy, semaphore.object(), pc);
  check_alive(semaphore, pc);
  for_each_pending_on(semaphore.object(), [&](Thread* thread) {
    bool waits = thread->pending.can == Semaphore::can_wait && semaphore.value() == 0;
    if (!waits) return;
    end_with_misuse(semaphore.object(), pc,
                    "destroys semaphore " HEDDLE_OBJECT ", on which %s waits",
                    ThreadName(thread).text);
  });
  semaphore.destroy();
  return 0;
}

struct Named {
  char name[NAME_MAX + 1];  // empty: unlinked
  sem_t* semaphore;
  uint32_t users;
};

constexpr uint32_t kMaxNamed = 256;
Named g_named[kMaxNamed];
uint32_t g_named_count;  // in this execution

// The object of sem_open and sem_unlink: all names together. No address is like it.
constexpr uint64_t kNames = 1;

Named* find(const char* name) {
  for (uint32_t i = 0; i < g_named_count; ++i) {
    if (strcmp(g_named[i].name, name) == 0) return &g_named[i];
  }
  return nullptr;
}

sem_t* open_failed(int error) {
  errno = error;
  return SEM_FAILED;
}

// As glibc, which makes a file of it: slashes in front do not count, and four letters are its own.
constexpr size_t kMaxName = NAME_MAX - 4;
const char* bare_name(const char* name) {
  while (*name == '/') ++name;
  return name;
}

sem_t* open_named(const char* path, int flags, unsigned value) {
  const char* name = bare_name(path);
  if (name[0] == '\0' || strchr(name, '/') != nullptr) return open_failed(EINVAL);
  if (strlen(name) > kMaxName) return open_failed(ENAMETOOLONG);
  Named* named = find(name);
  if (named != nullptr) {
    if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) return open_failed(EEXIST);
    ++named->users;
    Semaphore(named->semaphore).revive();
    return named->semaphore;
  }
  if ((flags & O_CREAT) == 0) return open_failed(ENOENT);
  if (value > SEM_VALUE_MAX) return open_failed(EINVAL);
  if (g_named_count == kMaxNamed) return open_failed(ENFILE);
  auto* semaphore = static_cast<sem_t*>(arena_allocate(sizeof(sem_t), 16));
  if (semaphore == nullptr) return open_failed(ENOMEM);
  HEDDLE_REAL(sem_init)(semaphore, 0, value);
  Semaphore(semaphore).revive();
  named = &g_named[g_named_count++];
  strcpy(named->name, name);
  named->semaphore = semaphore;
  named->users = 1;
  return semaphore;
}

}  // namespace

void named_semaphores_reset() { g_named_count = 0; }

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  if (g_active) {
    note_making(Semaphore(semaphore).object(), HEDDLE_CALLER);
    Semaphore(semaphore).revive();
  }
  return HEDDLE_REAL(sem_init)(semaphore, shared, value);
}

HEDDLE_EXPORT int sem_destroy(sem_t* semaphore) noexcept {
  if (!g_active) return HEDDLE_REAL(sem_destroy)(semaphore);
  return destroy(semaphore, HEDDLE_CALLER);
}

HEDDLE_EXPORT int sem_wait(sem_t* semaphore) {
  if (!g_active) return HEDDLE_REAL(sem_wait)(semaphore);
  return wait(semaphore, kForever, HEDDLE_CALLER);
}

HEDDLE_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* limit) {
  if (!g_active) return HEDDLE_REAL(sem_timedwait)(semaphore, limit);
  return timed_wait(semaphore, CLOCK_REALTIME, limit, HEDDLE_CALLER);
}

HEDDLE_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* limit) {
  if (!g_active) return HEDDLE_REAL(sem_clockwait)(semaphore, clock, limit);
  return timed_wait(semaphore, clock, limit, HEDDLE_CALLER);
}

HEDDLE_EXPORT int sem_trywait(sem_t* handle) noexcept {
  if (!g_active) return HEDDLE_REAL(sem_trywait)(handle);
  Semaphore semaphore(handle);
  reach_try(wire::Op::sem_wait, semaphore.object(), HEDDLE_CALLER);
  check_alive(semaphore, HEDDLE_CALLER);
  if (semaphore.value() == 0) {
    note_yield(Yield::own);
    return fail(EAGAIN);
  }
  semaphore.take();
  return 0;
}

HEDDLE_EXPORT int sem_post(sem_t* handle) noexcept {
  if (!g_active) return HEDDLE_REAL(sem_post)(handle);
  Semaphore semaphore(handle);
  reach(wire::Op::sem_post, semaphore.object(), HEDDLE_CALLER);
  check_alive(semaphore, HEDDLE_CALLER);
  return semaphore.post() ? 0 : fail(EOVERFLOW);
}

HEDDLE_EXPORT int sem_getvalue(sem_t* handle, int* value) noexcept {
  if (!g_active) return HEDDLE_REAL(sem_getvalue)(handle, value);
  Semaphore semaphore(handle);
  reach(wire::Op::sem_value, semaphore.object(), HEDDLE_CALLER);
  check_alive(semaphore, HEDDLE_CALLER);
  *value = static_cast<int>(semaphore.value());
  return 0;
}

HEDDLE_EXPORT sem_t* sem_open(const char* name, int flags, ...) {
  unsigned mode = 0, value = 0;
  if ((flags & O_CREAT) != 0) {
    va_list list;
    va_start(list, flags);
    mode = va_arg(list, unsigned);
    value = va_arg(list, unsigned);
    va_end(list);
  }
  if (!g_active) return HEDDLE_REAL(sem_open)(name, flags, mode, value);
  reach(wire::Op::sem_open, kNames, HEDDLE_CALLER);
  return open_named(name, flags, value);
}

HEDDLE_EXPORT int sem_close(sem_t* semaphore) noexcept {
  if (!g_active) return HEDDLE_REAL(sem_close)(semaphore);
  reach(wire::Op::destroy, Semaphore(semaphore).object(), HEDDLE_CALLER);
  for (uint32_t i = 0; i < g_named_count; ++i) {
    if (g_named[i].semaphore != semaphore || g_named[i].users == 0) continue;
    if (--g_named[i].users == 0) Semaphore(semaphore).destroy();
    return 0;
  }
  return fail(EINVAL);
}

HEDDLE_EXPORT int sem_unlink(const char* name) noexcept {
  if (!g_active) return HEDDLE_REAL(sem_unlink)(name);
  reach(wire::Op::sem_unlink, kNames, HEDDLE_CALLER);
  const char* bare = bare_name(name);
  Named* named = bare[0] != '\0' ? find(bare) : nullptr;
  if (named == nullptr) return fail(ENOENT);
  named->name[0] = '\0';  // those who have it open keep it
  return 0;
}

// Operations on synchronisation objects and on the heap.
#include <barrier>
#include <chrono>
#include <cstdlib>
#include <latch>
#include <mutex>
#include <new>
#include <semaphore>
#include <shared_mutex>

#include "interpreter_operations.h"
#include "interpreter_program.h"

namespace fuzz {

namespace {

// Zeros are objects that nobody holds.
pthread_mutex_t g_mutexes[kObjects];
pthread_rwlock_t g_rwlocks[kObjects];
pthread_cond_t g_conditions[kObjects];
sem_t g_semaphores[kObjects];
std::once_flag g_onces[kObjects];
pthread_barrier_t g_pbarriers[kObjects];
std::timed_mutex g_timed[kObjects];
std::shared_mutex g_shared[kObjects];
Object* g_slots[kSlots];

struct Spins {
  Spins() {
    for (pthread_spinlock_t& spin : spins) pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  }
  pthread_spinlock_t spins[kObjects];
} g_spins;

// Made by an operation, never destroyed.
template <typename T>
struct Room {
  alignas(T) unsigned char bytes[sizeof(T)];
  T& object() { return *reinterpret_cast<T*>(bytes); }
};
using Counting = std::counting_semaphore<>;
Room<std::latch> g_latches[kObjects];
Room<std::barrier<>> g_barriers[kObjects];
Room<Counting> g_counting[kObjects];

class Until {
 public:
  explicit Until(int64_t us, clockid_t clock = CLOCK_MONOTONIC) {
    clock_gettime(clock, &moment_);
    moment_.tv_nsec += us * 1000;
    moment_.tv_sec += moment_.tv_nsec / 1'000'000'000;
    moment_.tv_nsec %= 1'000'000'000;
  }
  const timespec* moment() const { return &moment_; }

 private:
  timespec moment_;
};

}  // namespace

FUZZ_OPERATION void mutex_lock(int i) { pthread_mutex_lock(&g_mutexes[i]); }
FUZZ_OPERATION void mutex_unlock(int i) { pthread_mutex_unlock(&g_mutexes[i]); }
FUZZ_OPERATION int64_t mutex_try(int i) { return pthread_mutex_trylock(&g_mutexes[i]) == 0; }
FUZZ_OPERATION int64_t mutex_timed(int i, int64_t us) {
  return pthread_mutex_clocklock(&g_mutexes[i], CLOCK_MONOTONIC, Until(us).moment()) == 0;
}

FUZZ_OPERATION void rwlock_read(int i) { pthread_rwlock_rdlock(&g_rwlocks[i]); }
FUZZ_OPERATION void rwlock_write(int i) { pthread_rwlock_wrlock(&g_rwlocks[i]); }
FUZZ_OPERATION int64_t rwlock_try_read(int i) {
  return pthread_rwlock_tryrdlock(&g_rwlocks[i]) == 0;
}
FUZZ_OPERATION int64_t rwlock_try_write(int i) {
  return pthread_rwlock_trywrlock(&g_rwlocks[i]) == 0;
}
FUZZ_OPERATION void rwlock_unlock(int i) { pthread_rwlock_unlock(&g_rwlocks[i]); }

FUZZ_OPERATION void condition_wait(int i, int mutex) {
  pthread_cond_wait(&g_conditions[i], &g_mutexes[mutex]);
}
FUZZ_OPERATION int64_t condition_timed(int i, int mutex, int64_t us) {
  return pthread_cond_clockwait(&g_conditions[i], &g_mutexes[mutex], CLOCK_MONOTONIC,
                                Until(us).moment()) == 0;
}
FUZZ_OPERATION void condition_signal(int i) { pthread_cond_signal(&g_conditions[i]); }
FUZZ_OPERATION void condition_broadcast(int i) { pthread_cond_broadcast(&g_conditions[i]); }

FUZZ_OPERATION void semaphore_wait(int i) { sem_wait(&g_semaphores[i]); }
FUZZ_OPERATION void semaphore_post(int i) { sem_post(&g_semaphores[i]); }
FUZZ_OPERATION int64_t semaphore_try(int i) { return sem_trywait(&g_semaphores[i]) == 0; }
FUZZ_OPERATION int64_t semaphore_timed(int i, int64_t us) {
  return sem_clockwait(&g_semaphores[i], CLOCK_MONOTONIC, Until(us).moment()) == 0;
}
FUZZ_OPERATION int64_t semaphore_value(int i) {
  int value = 0;
  sem_getvalue(&g_semaphores[i], &value);
  return value;
}

FUZZ_OPERATION void spin_lock(int i) { pthread_spin_lock(&g_spins.spins[i]); }
FUZZ_OPERATION void spin_unlock(int i) { pthread_spin_unlock(&g_spins.spins[i]); }

FUZZ_OPERATION void call_once(int i, void (*body)(void*), void* argument) {
  std::call_once(g_onces[i], body, argument);
}

FUZZ_OPERATION void latch_make(int i, int64_t count) { new (g_latches[i].bytes) std::latch(count); }
FUZZ_OPERATION void latch_down(int i) { g_latches[i].object().count_down(); }
FUZZ_OPERATION void latch_wait(int i) { g_latches[i].object().wait(); }
FUZZ_OPERATION int64_t latch_try(int i) { return g_latches[i].object().try_wait() ? 1 : 0; }

FUZZ_OPERATION void barrier_make(int i, int64_t count) {
  new (g_barriers[i].bytes) std::barrier<>(count);
}
FUZZ_OPERATION void barrier_arrive(int i) { g_barriers[i].object().arrive_and_wait(); }
FUZZ_OPERATION void barrier_drop(int i) { g_barriers[i].object().arrive_and_drop(); }

FUZZ_OPERATION void pbarrier_make(int i, int64_t count) {
  pthread_barrier_init(&g_pbarriers[i], nullptr, static_cast<unsigned>(count));
}
FUZZ_OPERATION int64_t pbarrier_wait(int i) {
  return pthread_barrier_wait(&g_pbarriers[i]) == PTHREAD_BARRIER_SERIAL_THREAD ? 1 : 0;
}

FUZZ_OPERATION void counting_make(int i, int64_t count) {
  new (g_counting[i].bytes) Counting(count);
}
FUZZ_OPERATION void counting_acquire(int i) { g_counting[i].object().acquire(); }
FUZZ_OPERATION void counting_release(int i) { g_counting[i].object().release(); }
FUZZ_OPERATION int64_t counting_try(int i) { return g_counting[i].object().try_acquire() ? 1 : 0; }
FUZZ_OPERATION int64_t counting_for(int i, int64_t us) {
  return g_counting[i].object().try_acquire_for(std::chrono::microseconds(us)) ? 1 : 0;
}

FUZZ_OPERATION void timed_lock(int i) { g_timed[i].lock(); }
FUZZ_OPERATION void timed_unlock(int i) { g_timed[i].unlock(); }
FUZZ_OPERATION int64_t timed_lock_for(int i, int64_t us) {
  return g_timed[i].try_lock_for(std::chrono::microseconds(us)) ? 1 : 0;
}

FUZZ_OPERATION void shared_lock(int i) { g_shared[i].lock(); }
FUZZ_OPERATION void shared_unlock(int i) { g_shared[i].unlock(); }
FUZZ_OPERATION void shared_lock_shared(int i) { g_shared[i].lock_shared(); }
FUZZ_OPERATION void shared_unlock_shared(int i) { g_shared[i].unlock_shared(); }
FUZZ_OPERATION int64_t shared_try(int i) { return g_shared[i].try_lock() ? 1 : 0; }

FUZZ_OPERATION Object* object_make() {
  auto* object = static_cast<Object*>(calloc(1, sizeof(Object)));
  pthread_spin_init(&object->spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&object->semaphore, 0, 1);
  return object;
}
FUZZ_OPERATION Object* slot_get(int i) { return __atomic_load_n(&g_slots[i], __ATOMIC_SEQ_CST); }
FUZZ_OPERATION Object* slot_take(int i) {
  return __atomic_exchange_n(&g_slots[i], static_cast<Object*>(nullptr), __ATOMIC_SEQ_CST);
}
FUZZ_OPERATION void slot_put(int i, Object* object) {
  __atomic_store_n(&g_slots[i], object, __ATOMIC_SEQ_CST);
}
FUZZ_OPERATION void object_free(Object* object) { free(object); }
FUZZ_OPERATION Object* object_realloc(Object* object, int64_t more) {
  return static_cast<Object*>(realloc(object, sizeof(Object) + static_cast<size_t>(more)));
}
FUZZ_OPERATION int64_t object_load(Object* object) {
  return __atomic_load_n(&object->value, __ATOMIC_SEQ_CST);
}
FUZZ_OPERATION void object_store(Object* object, int64_t value) {
  __atomic_store_n(&object->value, static_cast<int32_t>(value), __ATOMIC_SEQ_CST);
}
FUZZ_OPERATION int64_t object_add(Object* object, int64_t value) {
  return __atomic_fetch_add(&object->value, static_cast<int32_t>(value), __ATOMIC_SEQ_CST);
}
FUZZ_OPERATION int64_t object_plain_load(Object* object) { return object->plain; }
FUZZ_OPERATION void object_plain_store(Object* object, int64_t value) {
  object->plain = static_cast<int32_t>(value);
}
FUZZ_OPERATION void object_once(Object* object) { pthread_once(&object->once, object_once_body); }

}  // namespace fuzz

// What the operations of interpreted programs do: the calls and accesses that Heddle sees.
//
// Each is a function of its own, compiled with instrumentation, that takes plain values and touches
// nothing but the objects of the program. Objects are static, and begin as zeros: memory is set
// back before each execution, not constructed.
#pragma once

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include <cstddef>
#include <cstdint>

// In a program that was rendered (render.py), they are inlined where they are called.
#ifndef FUZZ_OPERATION
#define FUZZ_OPERATION __attribute__((noinline))
#endif

namespace fuzz {

// An object on the heap, with one of each kind in it.
struct Object {
  int32_t value;  // atomic
  int32_t plain;
  pthread_spinlock_t spin;
  pthread_once_t once;
  pthread_mutex_t mutex;
  pthread_rwlock_t rwlock;
  pthread_cond_t condition;
  sem_t semaphore;
};

constexpr int64_t kNoPointer = 9;  // the value of operations that need one

// Bytes of the buffer.
extern unsigned char g_buffer[];
int64_t atomic_load(int offset, int size);
void atomic_store(int offset, int size, int64_t value);
int64_t atomic_add(int offset, int size, int64_t value);
int64_t atomic_or(int offset, int size, int64_t value);
int64_t atomic_exchange(int offset, int size, int64_t value);
int64_t atomic_cas(int offset, int size, int64_t expected, int64_t desired);
// Adds `number` by a loop that ends when the compare-exchange has not failed. The value says what
// the loop remembers.
enum class Retry {
  pure,    // nothing of the rounds that failed; the value is the old one
  again,   // the same, and each round loads
  other,   // each round loads kBeside as well, and that goes into what is written
  counts,  // how many rounds have failed
  first,   // the value that it read first
  stores,  // a round that has failed stores to kBeside
  twice,   // it gives up after the second time; how often it has failed
};
constexpr int kBeside = 40;  // of 4 bytes
int64_t atomic_retry(int offset, int size, int64_t how, int64_t number);
int64_t volatile_load(int offset, int size);
void volatile_store(int offset, int size, int64_t value);
int64_t plain_load(int offset, int size);
void plain_store(int offset, int size, int64_t value);
void set_bytes(int offset, int bytes, int value);
void copy_bytes(int to, int from, int bytes);
void copy_structure(int to, int from);

// Static objects, by number.
void mutex_lock(int i);
void mutex_unlock(int i);
int64_t mutex_try(int i);
int64_t mutex_timed(int i, int64_t us);
void rwlock_read(int i);
void rwlock_write(int i);
int64_t rwlock_try_read(int i);
int64_t rwlock_try_write(int i);
void rwlock_unlock(int i);
void condition_wait(int i, int mutex);
int64_t condition_timed(int i, int mutex, int64_t us);  // 1: woken
void condition_signal(int i);
void condition_broadcast(int i);
void semaphore_wait(int i);
void semaphore_post(int i);
int64_t semaphore_try(int i);
int64_t semaphore_timed(int i, int64_t us);
int64_t semaphore_value(int i);
void spin_lock(int i);
void spin_unlock(int i);
void call_once(int i, void (*body)(void*), void* argument);
void latch_make(int i, int64_t count);
void latch_down(int i);
void latch_wait(int i);
int64_t latch_try(int i);
void barrier_make(int i, int64_t count);
void barrier_arrive(int i);
void barrier_drop(int i);
void pbarrier_make(int i, int64_t count);
int64_t pbarrier_wait(int i);
void counting_make(int i, int64_t count);
void counting_acquire(int i);
void counting_release(int i);
int64_t counting_try(int i);
int64_t counting_for(int i, int64_t us);
void timed_lock(int i);
void timed_unlock(int i);
int64_t timed_lock_for(int i, int64_t us);
void shared_lock(int i);
void shared_unlock(int i);
void shared_lock_shared(int i);
void shared_unlock_shared(int i);
int64_t shared_try(int i);

// The heap.
Object* object_make();
Object* slot_get(int i);
Object* slot_take(int i);
void slot_put(int i, Object* object);
void object_free(Object* object);
Object* object_realloc(Object* object, int64_t more);
int64_t object_load(Object* object);
void object_store(Object* object, int64_t value);
int64_t object_add(Object* object, int64_t value);
int64_t object_plain_load(Object* object);
void object_plain_store(Object* object, int64_t value);
void object_once(Object* object);  // calls object_once_body
void object_once_body();

// Time, descriptors, the library's own state.
int64_t monotonic_us();
int64_t steady_us();
void sleep_us(int64_t us);
void pipe_make(int i);
void pipe_write(int i, int64_t byte);
int64_t pipe_read(int i);
int64_t pipe_poll(int i);
void pipe_hangup(int i);
int open_null();
void close_descriptor(int fd);
void file_make();
void file_put(int64_t offset, int64_t byte);
int64_t file_get(int64_t offset);
void environment_set(int i, int64_t value);
int64_t environment_get(int i);
int64_t random_number();

// How an execution ends, and what the search chooses.
int64_t choose(int64_t n);
void assume(bool condition);
void check_assertion(bool condition);

}  // namespace fuzz

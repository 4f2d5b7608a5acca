// See keys.h. libc keeps keys in its own memory, which no snapshot brings back; so an execution's
// keys are ours. Their numbers begin where libc's end. A key of before the execution has a number
// of libc's, but what an execution does with it is ours as well: GoogleTest makes keys in static
// constructors, and deletes them in static destructors, at the end of each execution.
#include "runtime/intercept/keys.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "runtime/carrier/slots.h"
#include "runtime/detect/outside.h"
#include "runtime/real.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

namespace {

constexpr uint32_t kFirstKey = PTHREAD_KEYS_MAX;  // of an execution's own
constexpr uint32_t kMaxKeys = 2 * PTHREAD_KEYS_MAX;

struct Key {
  bool used;
  uint64_t generation;  // values set under an earlier one are void; 0: of before the execution
  void (*destructor)(void*);
};

struct Value {
  uint64_t generation;
  uint64_t execution;
  uint32_t thread;
  const void* value;
};

Key g_keys[kMaxKeys];
Key g_earlier[kFirstKey];  // as they are between executions
uint32_t g_earlier_count;  // numbers below have been used before
uint32_t g_key_count;      // numbers from kFirstKey on that have been used in this execution
uint64_t g_generation;
// By slot's number and key; sparse, only what is touched costs memory. See values_of().
constexpr uint32_t kValueSlots = 4096;
Value g_values[kValueSlots][kMaxKeys];

Value* values_of(const Thread* thread) {
  uint32_t number = thread->slot->number;
  return number < kValueSlots ? g_values[number] : nullptr;
}

bool has_set(const Thread* thread, uint32_t key) {
  const Value* values = values_of(thread);
  return values != nullptr && values[key].thread == thread->index &&
         values[key].execution == g_object_epoch && values[key].value != nullptr;
}

// What the thread has for the key. To main belongs also what was set before.
void* value_of(const Thread* thread, uint32_t key) {
  const Value* values = values_of(thread);
  if (values == nullptr || !g_keys[key].used) return nullptr;
  const Value& value = values[key];
  if (value.thread == thread->index && value.execution == g_object_epoch &&
      value.generation == g_keys[key].generation)
    return const_cast<void*>(value.value);
  if (key >= kFirstKey || thread->parent != wire::kNoThread) return nullptr;
  return HEDDLE_REAL(pthread_getspecific)(key);
}

int set_value(const Thread* thread, uint32_t key, const void* value) {
  Value* values = values_of(thread);
  if (values == nullptr) return ENOMEM;
  values[key] = {g_keys[key].generation, g_object_epoch, thread->index, value};
  return 0;
}

// False: a key that is not one, or that was made without a call of ours.
bool is_known(pthread_key_t key) { return key < kFirstKey ? g_earlier[key].used : key < kMaxKeys; }

// Calls the destructor of the thread's value, if there is one.
bool destroy_value(const Thread* thread, uint32_t key) {
  if (has_set(thread, key) && g_keys[key].destructor != nullptr) {
    touch_outside(thread_key(key), false, reinterpret_cast<uint64_t>(g_keys[key].destructor) + 1);
  }
  void* value = value_of(thread, key);
  if (value == nullptr) return false;
  set_value(thread, key, nullptr);
  if (g_keys[key].destructor == nullptr) return false;
  g_keys[key].destructor(value);
  return true;
}

}  // namespace

void run_key_destructors(Thread* thread) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool any = false;
    for (uint32_t key = 0; key < g_earlier_count; ++key) any |= destroy_value(thread, key);
    for (uint32_t key = kFirstKey; key < kFirstKey + g_key_count; ++key)
      any |= destroy_value(thread, key);
    if (!any) return;
  }
}

void keys_reset() {
  if (g_earlier_count != 0) memcpy(g_keys, g_earlier, g_earlier_count * sizeof(Key));
  if (g_key_count != 0) memset(g_keys + kFirstKey, 0, g_key_count * sizeof(Key));
  g_key_count = 0;
}

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  if (!g_active) {
    int error = HEDDLE_REAL(pthread_key_create)(key, destructor);
    if (error != 0 || *key >= kFirstKey) return error;
    g_keys[*key] = g_earlier[*key] = {true, 0, destructor};
    if (*key >= g_earlier_count) g_earlier_count = *key + 1;
    return 0;
  }
  touch_outside(&thread_keys, true, HEDDLE_CALLER);
  for (uint32_t i = kFirstKey; i < kMaxKeys; ++i) {
    if (g_keys[i].used) continue;
    g_keys[i] = {true, ++g_generation, destructor};
    if (i - kFirstKey >= g_key_count) g_key_count = i - kFirstKey + 1;
    *key = i;
    return 0;
  }
  return EAGAIN;
}

HEDDLE_EXPORT int pthread_key_delete(pthread_key_t key) noexcept {
  if (!g_active) {
    if (key < kFirstKey) g_keys[key] = g_earlier[key] = {};
    return HEDDLE_REAL(pthread_key_delete)(key);
  }
  touch_outside({changes(&thread_keys), changes(thread_key(key))}, HEDDLE_CALLER);
  if (!is_known(key)) return HEDDLE_REAL(pthread_key_delete)(key);
  if (!g_keys[key].used) return EINVAL;
  g_keys[key] = {};
  return 0;
}

HEDDLE_EXPORT void* pthread_getspecific(pthread_key_t key) noexcept {
  if (!g_active || !is_known(key)) return HEDDLE_REAL(pthread_getspecific)(key);
  touch_outside(thread_key(key), false, HEDDLE_CALLER);
  return value_of(g_run.current, key);
}

HEDDLE_EXPORT int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  if (!g_active || !is_known(key)) return HEDDLE_REAL(pthread_setspecific)(key, value);
  touch_outside(thread_key(key), false, HEDDLE_CALLER);
  if (!g_keys[key].used) return EINVAL;
  return set_value(g_run.current, key, value);
}

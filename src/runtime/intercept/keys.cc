// See keys.h. libc keeps keys in its own memory, which no snapshot brings back; so an execution's
// keys are ours. Their numbers begin where libc's end: a key of before the execution stays libc's.
#include "runtime/intercept/keys.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "runtime/carrier/slots.h"
#include "runtime/real.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

namespace {

constexpr uint32_t kFirstKey = PTHREAD_KEYS_MAX;
constexpr uint32_t kMaxKeys = PTHREAD_KEYS_MAX;

struct Key {
  bool used;
  uint64_t generation;  // values set under an earlier one are void
  void (*destructor)(void*);
};

struct Value {
  uint64_t generation;
  uint64_t execution;
  uint32_t thread;
  const void* value;
};

Key g_keys[kMaxKeys];
uint32_t g_key_count;  // numbers below have been used in this execution
uint64_t g_generation;
// By slot's number and key; sparse, only what is touched costs memory. See values_of().
constexpr uint32_t kValueSlots = 4096;
Value g_values[kValueSlots][kMaxKeys];

Value* values_of(const Thread* thread) {
  uint32_t number = thread->slot->number;
  return number < kValueSlots ? g_values[number] : nullptr;
}

bool is_current(const Value& value, const Thread* thread, uint32_t key) {
  return value.thread == thread->index && value.execution == g_object_epoch &&
         value.generation == g_keys[key].generation;
}

bool is_ours(pthread_key_t key) { return key >= kFirstKey && key - kFirstKey < kMaxKeys; }

}  // namespace

void run_key_destructors(Thread* thread) {
  Value* values = values_of(thread);
  if (values == nullptr) return;
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool any = false;
    for (uint32_t key = 0; key < g_key_count; ++key) {
      Value& value = values[key];
      if (!g_keys[key].used || !is_current(value, thread, key) || value.value == nullptr) continue;
      void* old = const_cast<void*>(value.value);
      value.value = nullptr;
      if (g_keys[key].destructor == nullptr) continue;
      any = true;
      g_keys[key].destructor(old);
    }
    if (!any) return;
  }
}

void keys_reset() {
  for (uint32_t key = 0; key < g_key_count; ++key) g_keys[key] = {};
  g_key_count = 0;
}

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  if (!g_active) return HEDDLE_REAL(pthread_key_create)(key, destructor);
  for (uint32_t i = 0; i < kMaxKeys; ++i) {
    if (g_keys[i].used) continue;
    g_keys[i] = {true, ++g_generation, destructor};
    if (i >= g_key_count) g_key_count = i + 1;
    *key = kFirstKey + i;
    return 0;
  }
  return EAGAIN;
}

HEDDLE_EXPORT int pthread_key_delete(pthread_key_t key) noexcept {
  if (!g_active || !is_ours(key)) return HEDDLE_REAL(pthread_key_delete)(key);
  if (!g_keys[key - kFirstKey].used) return EINVAL;
  g_keys[key - kFirstKey] = {};
  return 0;
}

HEDDLE_EXPORT void* pthread_getspecific(pthread_key_t key) noexcept {
  if (!g_active || !is_ours(key)) return HEDDLE_REAL(pthread_getspecific)(key);
  const Value* values = values_of(g_run.current);
  if (values == nullptr) return nullptr;
  const Value& value = values[key - kFirstKey];
  return is_current(value, g_run.current, key - kFirstKey) ? const_cast<void*>(value.value)
                                                           : nullptr;
}

HEDDLE_EXPORT int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  if (!g_active || !is_ours(key)) return HEDDLE_REAL(pthread_setspecific)(key, value);
  if (!g_keys[key - kFirstKey].used) return EINVAL;
  Value* values = values_of(g_run.current);
  if (values == nullptr) return ENOMEM;
  values[key - kFirstKey] = {g_keys[key - kFirstKey].generation, g_object_epoch,
                             g_run.current->index, value};
  return 0;
}

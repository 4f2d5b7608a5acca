// What the compiler calls for atomic operations of 1 to 16 bytes, and fences.
//
// Under control one carrier runs everything, so the operation itself needs no atomicity; outside of
// it, it is the machine's own, always sequentially consistent, which every order asked for permits.
// What a load may see, and which value it gets, is memory/'s to say: it is asked when the operation
// is announced, with the order that the program asks for.
#include "runtime/detect/heap.h"
#include "runtime/detect/races.h"
#include "runtime/filter/spin.h"
#include "runtime/memory/memory.h"
#include "runtime/record/retry.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

using U8 = uint8_t;
using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;
using U128 = unsigned __int128;

template <typename T>
inline uint64_t folded(T value) {
  if constexpr (sizeof(T) == 16) return mix(static_cast<uint64_t>(value), value >> 64);
  return static_cast<uint64_t>(value);
}

template <typename T>
inline uint64_t object_of(const volatile T* address) {
  return reinterpret_cast<uint64_t>(address);
}

template <typename T>
inline void check_memory(wire::Op op, const volatile T* address, uint64_t pc) {
  bool reads = op == wire::Op::atomic_load;
  check_heap(object_of(address), sizeof(T),
             reads ? wire::Role::atomic_read : wire::Role::atomic_write, pc);
}

template <typename T>
inline bool at_operation(wire::Op op, const volatile T* address, uint64_t pc) {
  if (HEDDLE_LIKELY(!g_active)) return false;
  reach(op, object_of(address), pc, sizeof(T));
  check_memory(op, address, pc);
  return true;
}

// What retry.h is told of an atomic.
template <typename T>
inline RetryRead read_as(const volatile T* address, T value) {
  RetryRead read{object_of(address), sizeof(T), {}};
  __builtin_memcpy(read.value, &value, sizeof(T));
  return read;
}

template <typename T>
__attribute__((noinline)) T rehearsed_load(const volatile T* address) {
  RetryRead read = rehearsed_read(object_of(address), sizeof(T));
  T value;
  __builtin_memcpy(&value, read.value, sizeof(T));
  return value;
}

// An operation that is not as strong may tell other threads, or its own, of what it does not order.
inline void look_at_order(bool orders) {
  if (HEDDLE_UNLIKELY(g_last_retries) && !orders) retry_tells();
}

// Returns which store the load is to see.
template <typename T>
inline uint32_t reach_load(const volatile T* address, int order, uint64_t pc) {
  announce(wire::Op::atomic_load, object_of(address), pc, sizeof(T));
  Pending& pending = g_run.current->pending;
  if (HEDDLE_LIKELY(visible_stores(pending, order) == 1)) {
    go_on();
    return 0;
  }
  pending.order = order;
  return settle_open();
}

// The machine's own operation on 16 bytes is compare-exchange only; GCC would call libatomic for
// all others.
template <typename T, typename Update>
inline T native_update(volatile T* address, Update update) {
  T old = *address;
  for (;;) {
    T found = __sync_val_compare_and_swap(address, old, update(old));
    if (found == old) return old;
    old = found;
  }
}

template <typename T>
inline T load(const volatile T* address, int order, uint64_t pc) {
  if (HEDDLE_UNLIKELY(g_active)) {
    if (HEDDLE_UNLIKELY(g_rehearses)) return rehearsed_load(address);
    look_at_order(acquires(order));
    uint32_t store = reach_load(address, order, pc);
    check_memory(wire::Op::atomic_load, address, pc);
    order_load(object_of(address), sizeof(T), order);
    note_access(object_of(address), sizeof(T), kAtomicAccess, pc);
    if (HEDDLE_UNLIKELY(g_last_retries) && retry_load_comes()) return rehearsed_load(address);
    T value = load_value(address, store);
    if (HEDDLE_UNLIKELY(g_last_retries)) retry_loaded(read_as(address, value));
    note_read(folded(value));
    return value;
  }
  if constexpr (sizeof(T) == 16) {
    return native_update(const_cast<volatile T*>(address), [](T old) { return old; });
  } else {
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);
  }
}

template <typename T>
inline void store(volatile T* address, T value, int order, uint64_t pc) {
  if (at_operation(wire::Op::atomic_store, address, pc)) {
    look_at_order(releases(order));
    if (HEDDLE_UNLIKELY(g_last_retries)) retry_written(object_of(address));
    note_access(object_of(address), sizeof(T), kAtomicAccess | kWriteAccess, pc);
    order_store(object_of(address), sizeof(T), order);
    *address = value;
  } else if constexpr (sizeof(T) == 16) {
    native_update(address, [&](T) { return value; });
  } else {
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);
  }
}

// The access itself stands between: it comes after what the update acquires, and is part of what it
// releases.
template <typename T>
inline void note_update(volatile T* address, int order, uint64_t pc) {
  look_at_order(acquires(order) && releases(order));
  if (HEDDLE_UNLIKELY(g_last_retries)) retry_written(object_of(address));
  ObjectRecord* object = g_run.object;
  bool is_usual = g_ordering && acquires(order) && releases(order) && !object->is_divided &&
                  is_of(object, object_of(address), sizeof(T));
  if (HEDDLE_LIKELY(is_usual)) {
    Order& own = order_of(g_run.current);
    own.clock.join(object->carried);
    note_access(object_of(address), sizeof(T), kAtomicAccess | kWriteAccess, pc);
    object->carried.assign(own.clock);  // which has all of what was there
    return tick(g_run.current);
  }
  order_load(object_of(address), sizeof(T), order);
  note_access(object_of(address), sizeof(T), kAtomicAccess | kWriteAccess, pc);
  order_update(object_of(address), sizeof(T), order);
}

// `update` gives the new value of the old one; `native` does the same atomically.
template <typename T, typename Update, typename Native>
inline T modify(volatile T* address, int order, uint64_t pc, Update update, Native native) {
  if (!at_operation(wire::Op::atomic_rmw, address, pc)) {
    if constexpr (sizeof(T) == 16) {
      return native_update(address, update);
    } else {
      return native(T{});
    }
  }
  note_update(address, order, pc);
  T old = load_value(address);
  T value = update(old);
  *address = value;
  value == old ? note_read(folded(old)) : note_write();
  return old;
}

template <typename T>
inline void announce_exchange(volatile T* address, const T* expected, uint64_t pc) {
  announce(wire::Op::atomic_cas, object_of(address), pc, sizeof(T));
  __builtin_memcpy(g_run.current->pending.expected, expected, sizeof(T));
}

// Whether a weak compare-exchange fails for no reason, which is open with --spurious; but not twice
// in a row, or a loop around it would have no end.
template <typename T>
inline bool fails_spuriously(volatile T* address, const T* expected, uint64_t pc) {
  Thread* self = g_run.current;
  announce_exchange(address, expected, pc);
  if (self->failed_spuriously) {
    go_on();
    self->failed_spuriously = false;
  } else {
    self->failed_spuriously = settle_open() == kSpuriously;
  }
  return self->failed_spuriously;
}

// The compare-exchange is the one that would come after a round that has left nothing behind: then
// it does not.
template <typename T>
__attribute__((noinline)) void look_at_round(volatile T* address, const T* expected,
                                             RetryExchange exchange) {
  exchange.object = object_of(address);
  exchange.size = sizeof(T);
  __builtin_memcpy(exchange.expected, expected, sizeof(T));
  if (!retry_exchange_comes(exchange)) return;
  announce_exchange(address, expected, exchange.pc);
  stop();
}

// The operation itself, when its step has come. `place`: where what was expected is, if that is the
// program's.
template <typename T>
inline bool try_exchange(volatile T* address, T* expected, T desired, int order, int failure_order,
                         bool spuriously, uint64_t pc, const T* place) {
  T old = load_value(address);
  if (old != *expected || spuriously) {
    look_at_order(acquires(failure_order));
    order_load(object_of(address), sizeof(T), failure_order);
    note_access(object_of(address), sizeof(T), kAtomicAccess, pc);
    if (HEDDLE_UNLIKELY(g_last_retries)) retry_failed(place, read_as(address, old));
    *expected = old;
    note_read(folded(old));
    return false;
  }
  no_round();
  note_update(address, order, pc);
  *address = desired;
  note_write();
  return true;
}

template <typename T>
inline bool compare_exchange(volatile T* address, T* expected, T desired, int order,
                             int failure_order, uint64_t pc, const T* place) {
  if (HEDDLE_UNLIKELY(g_active)) {
    if (HEDDLE_UNLIKELY(g_last_retries)) {
      RetryExchange exchange{};
      exchange.place = reinterpret_cast<uint64_t>(place);
      __builtin_memcpy(exchange.desired, &desired, sizeof(T));
      exchange.orders = static_cast<uint64_t>(order) << 32 | static_cast<uint32_t>(failure_order);
      exchange.pc = pc;
      look_at_round(address, expected, exchange);
    }
    announce_exchange(address, expected, pc);
    go_on();
    check_memory(wire::Op::atomic_cas, address, pc);
    return try_exchange(address, expected, desired, order, failure_order, false, pc, place);
  }
  T found = __sync_val_compare_and_swap(address, *expected, desired);
  bool done = found == *expected;
  *expected = found;
  return done;
}

template <typename T>
inline bool compare_exchange_weak(volatile T* address, T* expected, T desired, int order,
                                  int failure_order, uint64_t pc) {
  if (!g_active || !g_spurious)
    return compare_exchange(address, expected, desired, order, failure_order, pc, expected);
  bool spuriously = fails_spuriously(address, expected, pc);
  check_memory(wire::Op::atomic_cas, address, pc);
  return try_exchange(address, expected, desired, order, failure_order, spuriously, pc, expected);
}

}  // namespace

#define HEDDLE_MODIFY_HOOK(bits, T, name, expression, native)                             \
  HEDDLE_EXPORT T __tsan_atomic##bits##_##name(volatile T* address, T value, int order) { \
    return modify(                                                                        \
        address, order, HEDDLE_CALLER, [&](T old) { return static_cast<T>(expression); }, \
        [&](auto v) {                                                                     \
          return native(address, static_cast<decltype(v)>(value), __ATOMIC_SEQ_CST);      \
        });                                                                               \
  }

#define HEDDLE_ATOMIC_HOOKS(bits, T)                                                              \
  HEDDLE_EXPORT T __tsan_atomic##bits##_load(const volatile T* address, int order) {              \
    return load(address, order, HEDDLE_CALLER);                                                   \
  }                                                                                               \
  HEDDLE_EXPORT void __tsan_atomic##bits##_store(volatile T* address, T value, int order) {       \
    store(address, value, order, HEDDLE_CALLER);                                                  \
  }                                                                                               \
  HEDDLE_MODIFY_HOOK(bits, T, exchange, (static_cast<void>(old), value), __atomic_exchange_n)     \
  HEDDLE_MODIFY_HOOK(bits, T, fetch_add, old + value, __atomic_fetch_add)                         \
  HEDDLE_MODIFY_HOOK(bits, T, fetch_sub, old - value, __atomic_fetch_sub)                         \
  HEDDLE_MODIFY_HOOK(bits, T, fetch_and, old& value, __atomic_fetch_and)                          \
  HEDDLE_MODIFY_HOOK(bits, T, fetch_or, old | value, __atomic_fetch_or)                           \
  HEDDLE_MODIFY_HOOK(bits, T, fetch_xor, old ^ value, __atomic_fetch_xor)                         \
  HEDDLE_MODIFY_HOOK(bits, T, fetch_nand, ~(old & value), __atomic_fetch_nand)                    \
  HEDDLE_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(                                \
      volatile T* address, T* expected, T desired, int order, int failure) {                      \
    return compare_exchange(address, expected, desired, order, failure, HEDDLE_CALLER, expected); \
  }                                                                                               \
  HEDDLE_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(                                  \
      volatile T* address, T* expected, T desired, int order, int failure) {                      \
    return compare_exchange_weak(address, expected, desired, order, failure, HEDDLE_CALLER);      \
  }                                                                                               \
  HEDDLE_EXPORT T __tsan_atomic##bits##_compare_exchange_val(volatile T* address, T expected,     \
                                                             T desired, int order, int failure) { \
    const T* nowhere = nullptr;                                                                   \
    compare_exchange(address, &expected, desired, order, failure, HEDDLE_CALLER, nowhere);        \
    return expected;                                                                              \
  }

HEDDLE_ATOMIC_HOOKS(8, U8)
HEDDLE_ATOMIC_HOOKS(16, U16)
HEDDLE_ATOMIC_HOOKS(32, U32)
HEDDLE_ATOMIC_HOOKS(64, U64)
HEDDLE_ATOMIC_HOOKS(128, U128)

HEDDLE_EXPORT void __tsan_atomic_thread_fence(int order) {
  if (HEDDLE_UNLIKELY(g_active)) {
    reach(wire::Op::fence, 0, HEDDLE_CALLER);
    order_fence(order);
  } else {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
}

// Orders a thread and its own signal handlers only: nothing that other threads could notice.
HEDDLE_EXPORT void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

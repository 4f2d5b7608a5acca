// Operations on the bytes of the buffer: atomic, volatile and plain, of 1 to 16 bytes.
#include <cstring>

#include "interpreter_operations.h"
#include "interpreter_program.h"

namespace fuzz {

alignas(64) unsigned char g_buffer[kBuffer];

namespace {

using Wide = unsigned __int128;

// Of a wide value both halves count.
template <typename T>
inline int64_t told(T value) {
  if constexpr (sizeof(T) == 16) {
    return static_cast<int64_t>(static_cast<uint64_t>(value) +
                                3 * static_cast<uint64_t>(value >> 64));
  } else {
    return static_cast<int64_t>(value);
  }
}

// A wide value has the same in both halves.
template <typename T>
inline T wide(int64_t value) {
  if constexpr (sizeof(T) == 16) {
    return static_cast<T>(static_cast<uint64_t>(value)) << 64 | static_cast<uint64_t>(value);
  } else {
    return static_cast<T>(value);
  }
}

template <typename T>
inline T* at(int offset) {
  return reinterpret_cast<T*>(g_buffer + offset);
}

}  // namespace

#define FUZZ_BY_SIZE(size, statement) \
  switch (size) {                     \
    case 1: {                         \
      using T = uint8_t;              \
      statement;                      \
      break;                          \
    }                                 \
    case 2: {                         \
      using T = uint16_t;             \
      statement;                      \
      break;                          \
    }                                 \
    case 4: {                         \
      using T = uint32_t;             \
      statement;                      \
      break;                          \
    }                                 \
    case 8: {                         \
      using T = uint64_t;             \
      statement;                      \
      break;                          \
    }                                 \
    default: {                        \
      using T = Wide;                 \
      statement;                      \
      break;                          \
    }                                 \
  }

#define FUZZ_RETURN_BY_SIZE(size, expression) FUZZ_BY_SIZE(size, return told<T>(expression))

FUZZ_OPERATION int64_t atomic_load(int offset, int size){
    FUZZ_RETURN_BY_SIZE(size, __atomic_load_n(at<T>(offset), __ATOMIC_SEQ_CST))}

FUZZ_OPERATION void atomic_store(int offset, int size, int64_t value){
    FUZZ_BY_SIZE(size, __atomic_store_n(at<T>(offset), wide<T>(value), __ATOMIC_SEQ_CST))}

FUZZ_OPERATION int64_t atomic_add(int offset, int size, int64_t value){
    FUZZ_RETURN_BY_SIZE(size,
                        __atomic_fetch_add(at<T>(offset), static_cast<T>(value), __ATOMIC_SEQ_CST))}

FUZZ_OPERATION int64_t atomic_or(int offset, int size, int64_t value){
    FUZZ_RETURN_BY_SIZE(size, __atomic_fetch_or(at<T>(offset), wide<T>(value), __ATOMIC_SEQ_CST))}

FUZZ_OPERATION int64_t atomic_exchange(int offset, int size, int64_t value) {
  FUZZ_RETURN_BY_SIZE(size, __atomic_exchange_n(at<T>(offset), wide<T>(value), __ATOMIC_SEQ_CST))
}

namespace {

template <typename T>
inline T cas(int offset, T expected, T desired) {
  __atomic_compare_exchange_n(at<T>(offset), &expected, desired, false, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
  return expected;
}

}  // namespace

FUZZ_OPERATION int64_t atomic_cas(int offset, int size, int64_t expected, int64_t desired) {
  FUZZ_RETURN_BY_SIZE(size, cas<T>(offset, wide<T>(expected), wide<T>(desired)))
}

namespace {

template <typename T>
inline T load(int offset) {
  return __atomic_load_n(at<T>(offset), __ATOMIC_SEQ_CST);
}

// True: it has succeeded; else `expected` is what is there.
template <typename T>
inline bool exchange(int offset, T* expected, T desired) {
  return __atomic_compare_exchange_n(at<T>(offset), expected, desired, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

template <typename T>
inline int64_t again(int offset, T number) {
  T old;
  do {
    old = load<T>(offset);
  } while (!exchange<T>(offset, &old, static_cast<T>(old + number)));
  return told<T>(old);
}

template <typename T>
inline int64_t with_other(int offset, T number) {
  T old;
  uint32_t beside;
  do {
    old = load<T>(offset);
    beside = load<uint32_t>(kBeside);
  } while (!exchange<T>(offset, &old, static_cast<T>(static_cast<T>(beside) + number)));
  return told<T>(old) + 256 * int64_t{beside};
}

template <typename T>
inline int64_t retry(int offset, Retry how, T number) {
  if (how == Retry::again) return again<T>(offset, number);
  if (how == Retry::other) return with_other<T>(offset, number);
  T old = load<T>(offset);
  if (how == Retry::pure) {
    while (!exchange<T>(offset, &old, static_cast<T>(old + number))) {
    }
    return told<T>(old);
  }
  if (how == Retry::stores) {
    while (!exchange<T>(offset, &old, static_cast<T>(old + number))) {
      __atomic_store_n(at<uint32_t>(kBeside), static_cast<uint32_t>(number), __ATOMIC_SEQ_CST);
    }
    return told<T>(old);
  }
  const T first = old;
  int64_t failed = 0;
  const int64_t most = how == Retry::twice ? 2 : INT64_MAX;
  while (failed < most && !exchange<T>(offset, &old, static_cast<T>(old + number))) ++failed;
  return how == Retry::first ? told<T>(first) : failed;
}

}  // namespace

FUZZ_OPERATION int64_t atomic_retry(int offset, int size, int64_t how, int64_t number){
    FUZZ_BY_SIZE(size, return retry<T>(offset, static_cast<Retry>(how), wide<T>(number)))}

FUZZ_OPERATION int64_t
    volatile_load(int offset, int size){FUZZ_RETURN_BY_SIZE(size, *at<volatile T>(offset))}

FUZZ_OPERATION void volatile_store(int offset, int size, int64_t value){
    FUZZ_BY_SIZE(size, *at<volatile T>(offset) = wide<T>(value))}

FUZZ_OPERATION int64_t plain_load(int offset, int size){FUZZ_RETURN_BY_SIZE(size, *at<T>(offset))}

FUZZ_OPERATION void plain_store(int offset, int size,
                                int64_t value){FUZZ_BY_SIZE(size, *at<T>(offset) = wide<T>(value))}

FUZZ_OPERATION void set_bytes(int offset, int bytes, int value) {
  memset(g_buffer + offset, value, static_cast<size_t>(bytes));
}

FUZZ_OPERATION void copy_bytes(int to, int from, int bytes) {
  memmove(g_buffer + to, g_buffer + from, static_cast<size_t>(bytes));
}

namespace {

struct Structure {
  uint32_t words[3];
};

}  // namespace

FUZZ_OPERATION void copy_structure(int to, int from) { *at<Structure>(to) = *at<Structure>(from); }

}  // namespace fuzz

// What rendered programs with races share (see race_model.py). Included once, by the generated
// source.
#pragma once

#include <semaphore.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace races {

std::thread* threads = new std::thread[4];  // never destroyed
alignas(8) unsigned char cells[8];
std::atomic<int> variables[2];
std::mutex mutexes[2];
std::shared_mutex shareds[2];
sem_t semaphores[2];  // all zero is a semaphore of 0
std::once_flag onces[2];

template <int size>
struct Cell;
template <>
struct Cell<1> {
  using Type = uint8_t __attribute__((may_alias));
};
template <>
struct Cell<2> {
  using Type = uint16_t __attribute__((may_alias));
};
template <>
struct Cell<4> {
  using Type = uint32_t __attribute__((may_alias));
};
template <>
struct Cell<8> {
  using Type = uint64_t __attribute__((may_alias));
};

// The optimiser must leave every access where it is.
template <int size>
inline void put(int at) {
  *reinterpret_cast<typename Cell<size>::Type*>(cells + at) = 0;
  asm volatile("" : : : "memory");
}

template <int size>
inline void get(int at) {
  typename Cell<size>::Type value = *reinterpret_cast<typename Cell<size>::Type*>(cells + at);
  asm volatile("" : : "r"(value) : "memory");
}

inline std::atomic_ref<uint32_t> mixed() {
  return std::atomic_ref<uint32_t>(*reinterpret_cast<uint32_t*>(cells));
}

template <typename Atomic>
inline int compare_exchange(Atomic&& variable, int expected, int desired, std::memory_order order,
                            std::memory_order failure) {
  typename std::remove_reference_t<Atomic>::value_type found = expected;
  return variable.compare_exchange_strong(found, desired, order, failure);
}

}  // namespace races

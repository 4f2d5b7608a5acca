// An array of plain data that grows, in memory straight from the kernel: for code that runs in the
// engine and, inside the program under test, in the runtime, where there is no other memory to be
// had.
#pragma once

#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstdint>
#include <type_traits>

#include "base/raw_call.h"

namespace heddle {

// Where the next one goes, if it may: out of the way of what the program maps itself, which is to
// get the same addresses in every execution.
inline uint64_t g_array_place = 0x060000000000;

template <typename T>
class Array {
 public:
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  constexpr Array() = default;
  ~Array() { release(); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](uint64_t i) { return at_[i]; }
  const T& operator[](uint64_t i) const { return at_[i]; }
  T* begin() { return at_; }
  T* end() { return at_ + size_; }
  const T* begin() const { return at_; }
  const T* end() const { return at_ + size_; }
  T& back() { return at_[size_ - 1]; }

  void clear() { size_ = 0; }
  // What is new is not set to anything.
  void resize(uint64_t size) {
    if (size > capacity_) grow(size);
    size_ = size;
  }
  void assign(uint64_t size, const T& value) {
    resize(size);
    for (uint64_t i = 0; i < size; ++i) at_[i] = value;
  }
  void push_back(const T& value) {
    T copy = value;
    if (size_ == capacity_) grow(size_ + 1);
    at_[size_++] = copy;
  }

 private:
  static constexpr uint64_t kLeastBytes = 4096;

  __attribute__((noinline)) void grow(uint64_t least) {
    uint64_t bytes = bytes_ == 0 ? kLeastBytes : bytes_ * 2;
    while (bytes < least * sizeof(T)) bytes *= 2;
    uint64_t place = __atomic_fetch_add(&g_array_place, bytes, __ATOMIC_RELAXED);
    long memory = raw_call(SYS_mmap, static_cast<long>(place), static_cast<long>(bytes),
                           PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory < 0) __builtin_trap();
    T* at = reinterpret_cast<T*>(memory);
    for (uint64_t i = 0; i < size_; ++i) at[i] = at_[i];
    release();
    at_ = at;
    bytes_ = bytes;
    capacity_ = bytes / sizeof(T);
  }
  void release() {
    if (at_ != nullptr) raw_call(SYS_munmap, raw_argument(at_), static_cast<long>(bytes_), 0);
  }

  T* at_ = nullptr;
  uint64_t size_ = 0;
  uint64_t capacity_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace heddle

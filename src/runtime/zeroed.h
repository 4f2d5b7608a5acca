// A large array of which most is never used: its elements are good as they are when all of their
// bytes are zero. No constructor touches them, so they take no memory before they are used.
#pragma once

#include <cstdint>
#include <type_traits>

namespace heddle::runtime {

template <typename T, uint64_t kCount>
class Zeroed {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  T& operator[](uint64_t i) { return reinterpret_cast<T*>(bytes_)[i]; }

 private:
  alignas(T) char bytes_[kCount * sizeof(T)];
};

}  // namespace heddle::runtime

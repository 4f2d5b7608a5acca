// How the value of a test's state becomes bytes: heddle::state of heddle.h.
//
// Equal values give equal bytes, and different ones different bytes. A number, an enumeration or a
// plain structure is its own bytes, without padding. A range (a string, vector, array, span, map)
// is its elements, one after the other; inside of something else its length stands before them, in
// 4 bytes. A pair or tuple is its members; an optional a byte that says whether it holds something,
// and that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace heddle::internal {

// Counts all that it is given, and keeps what fits.
class StateBytes {
 public:
  StateBytes(void* buffer, size_t room) : buffer_(static_cast<char*>(buffer)), room_(room) {}

  void add(const void* bytes, size_t count) {
    if (size_ <= room_ && count <= room_ - size_) std::memcpy(buffer_ + size_, bytes, count);
    size_ += count;
  }
  size_t size() const { return size_; }

 private:
  char* buffer_;
  size_t room_;
  size_t size_ = 0;
};

template <typename T, typename = void>
inline constexpr bool kIsRange = false;
template <typename T>
inline constexpr bool kIsRange<T, std::void_t<decltype(std::begin(std::declval<const T&>())),
                                              decltype(std::end(std::declval<const T&>()))>> = true;

template <typename T, typename = void>
inline constexpr bool kIsTuple = false;
template <typename T>
inline constexpr bool kIsTuple<T, std::void_t<decltype(std::tuple_size<T>::value)>> = true;

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <typename T>
void add_plain(StateBytes& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>,
                "a state is a plain value, or a range, pair, tuple or optional of such");
  alignas(T) unsigned char copy[sizeof(T)];
  std::memcpy(copy, std::addressof(value), sizeof(T));
#if __has_builtin(__builtin_clear_padding)
  __builtin_clear_padding(reinterpret_cast<T*>(copy));
#else
  static_assert(std::has_unique_object_representations_v<T> || std::is_same_v<T, float> ||
                    std::is_same_v<T, double>,
                "a structure with padding: give its members as a tuple (std::tuple, std::tie)");
#endif
  out.add(copy, sizeof copy);
}

template <typename T>
void add_value(StateBytes& out, const T& value, bool inside) {
  if constexpr (kIsRange<T>) {
    if (inside) {
      uint32_t length = 0;
      for (auto at = std::begin(value); at != std::end(value); ++at) ++length;
      out.add(&length, sizeof length);
    }
    for (auto at = std::begin(value); at != std::end(value); ++at) {
      using Element = typename std::iterator_traits<decltype(at)>::value_type;
      add_value<Element>(out, *at, true);
    }
  } else if constexpr (kIsTuple<T>) {
    std::apply([&](const auto&... members) { (add_value(out, members, true), ...); }, value);
  } else if constexpr (kIsOptional<T>) {
    add_plain(out, value.has_value());
    if (value.has_value()) add_value(out, *value, true);
  } else {
    add_plain(out, value);
  }
}

// The function that the runtime calls. An exception has nowhere to go: it fails the execution.
template <typename Callback>
size_t state_bytes(void* callback, void* buffer, size_t room) noexcept {
  StateBytes out(buffer, room);
  auto&& value = (*static_cast<Callback*>(callback))();
  add_value(out, value, false);
  return out.size();
}

}  // namespace heddle::internal

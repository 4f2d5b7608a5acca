// HEDDLE_ASSERT, which says what was compared: "assertion `count == 2' failed: 1 == 2".
//
// The expression is written behind `Operands() <=`, which binds less tightly than arithmetic and no
// tighter than comparisons: it takes the left side, and the comparison that follows takes the right
// one. Both are evaluated once, the left one first; atomics are loaded once. What is no comparison
// at its top (a && b, a ? b : c, f()) is evaluated as if nothing stood before it. Bit-fields are
// compared as values of their declared type.
#pragma once
// Comparisons in here are the user's, with the literals taken for variables: what compilers warn of
// in them is not.
#pragma GCC system_header

#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

#define HEDDLE_INTERNAL_INLINE inline __attribute__((always_inline))

extern "C" {
[[noreturn]] __attribute__((visibility("default"))) void heddle_assert_fail(const char* expression,
                                                                            const char* file,
                                                                            unsigned line,
                                                                            const char* function);
// What the assertion that fails next has compared: kinds, values or addresses, and sizes.
__attribute__((visibility("default"))) void heddle_assert_operands(const char* sign, int left_kind,
                                                                   uint64_t left,
                                                                   uint64_t left_size,
                                                                   int right_kind, uint64_t right,
                                                                   uint64_t right_size);
}

// Fails the execution under test; outside of one it prints and aborts, as assert does. Never
// compiled out.
#define HEDDLE_ASSERT(expression)                                          \
  (::heddle::internal::holds(::heddle::internal::Operands() <= expression) \
       ? static_cast<void>(0)                                              \
       : heddle_assert_fail(#expression, __FILE__, __LINE__, __PRETTY_FUNCTION__))

namespace heddle::internal {

// As the runtime knows them: src/runtime/intercept/assertions.cc.
enum OperandKind : int {
  kNotPrintable = 0,
  kSigned = 1,
  kUnsigned = 2,
  kFloating = 3,
  kPointer = 4,
  kBool = 5,
  kCharacter = 6,
  kText = 7,
  kNothing = 8,  // an empty optional
};

struct Operand {
  int kind = kNotPrintable;
  uint64_t value = 0;
  uint64_t size = 0;
};

template <typename T>
struct Atomic : std::false_type {};
template <typename T>
struct Atomic<std::atomic<T>> : std::is_scalar<T> {
  using Value = T;
};
#ifdef __cpp_lib_atomic_ref
template <typename T>
struct Atomic<std::atomic_ref<T>> : std::is_scalar<T> {
  using Value = T;
};
#endif

template <typename T>
struct Optional : std::false_type {};
template <typename T>
struct Optional<std::optional<T>> : std::true_type {};

// A class of text, or an array of characters. A pointer to characters is one beside such only.
template <typename T>
constexpr bool kIsText = !std::is_pointer_v<std::decay_t<T>> || std::is_array_v<T>;
template <typename T>
constexpr bool kHoldsText = kIsText<T>&& std::is_convertible_v<const T&, std::string_view>;

template <bool kBesideText, typename T>
HEDDLE_INTERNAL_INLINE Operand operand_of(const T& value) {
  using Plain = std::remove_cv_t<T>;
  constexpr bool kFits = sizeof(Plain) <= sizeof(uint64_t);
  if constexpr (std::is_same_v<Plain, bool>) {
    return {kBool, value ? uint64_t{1} : uint64_t{0}, 0};
  } else if constexpr (std::is_same_v<Plain, char>) {
    return {kCharacter, static_cast<uint64_t>(value), 0};
  } else if constexpr (std::is_enum_v<Plain>) {
    return operand_of<false>(static_cast<std::underlying_type_t<Plain>>(value));
  } else if constexpr (std::is_integral_v<Plain> && kFits) {
    return {std::is_signed_v<Plain> ? kSigned : kUnsigned, static_cast<uint64_t>(value), 0};
  } else if constexpr (std::is_floating_point_v<Plain>) {
    double number = static_cast<double>(value);
    uint64_t bits = 0;
    memcpy(&bits, &number, sizeof bits);
    return {kFloating, bits, 0};
  } else if constexpr (std::is_null_pointer_v<Plain>) {
    return {kPointer, 0, 0};
  } else if constexpr (kHoldsText<T> ||
                       (kBesideText && std::is_convertible_v<const T&, std::string_view>)) {
    std::string_view text = value;
    return {kText, reinterpret_cast<uint64_t>(text.data()), text.size()};
  } else if constexpr (std::is_pointer_v<Plain>) {
    return {kPointer, reinterpret_cast<uint64_t>(value), 0};
  } else if constexpr (Optional<Plain>::value) {
    return value.has_value() ? operand_of<kBesideText>(*value) : Operand{kNothing, 0, 0};
  } else {
    return {};
  }
}

template <typename Left, typename Right>
struct Compared {
  bool result;
  Left left;  // values, or references to what lives as long as the expression
  Right right;
  const char* sign;
  HEDDLE_INTERNAL_INLINE constexpr operator bool() const { return result; }
};

// Plain values and atomics as values, all else by reference. What is a literal 0 for the compiler,
// and so a null pointer or comparable to an ordering, is a variable in here: the second and third
// are for that. The last two are for operators that are not const.
#define HEDDLE_INTERNAL_COMPARISON(name, sign)                                              \
  struct name {                                                                             \
    static constexpr const char* kSign = #sign;                                             \
    template <typename L, typename R>                                                       \
    HEDDLE_INTERNAL_INLINE static constexpr auto apply(const L& left, const R& right, int)  \
        -> decltype(static_cast<bool>(left sign right)) {                                   \
      return static_cast<bool>(left sign right);                                            \
    }                                                                                       \
    template <typename L, typename R, typename = std::enable_if_t<std::is_integral_v<R>>>   \
    HEDDLE_INTERNAL_INLINE static constexpr auto apply(const L& left, const R&, long)       \
        -> decltype(static_cast<bool>(left sign 0)) {                                       \
      return static_cast<bool>(left sign 0);                                                \
    }                                                                                       \
    template <typename L, typename R, typename = std::enable_if_t<std::is_integral_v<L>>>   \
    HEDDLE_INTERNAL_INLINE static constexpr auto apply(const L&, const R& right, ...)       \
        -> decltype(static_cast<bool>(0 sign right)) {                                      \
      return static_cast<bool>(0 sign right);                                               \
    }                                                                                       \
    template <typename L, typename R, typename = std::enable_if_t<std::is_class_v<L>>,      \
              typename = void>                                                              \
    HEDDLE_INTERNAL_INLINE static constexpr auto apply(const L& left, const R& right, long) \
        -> decltype(static_cast<bool>(const_cast<L&>(left) sign right)) {                   \
      return static_cast<bool>(const_cast<L&>(left) sign right);                            \
    }                                                                                       \
    template <typename L, typename R,                                                       \
              typename = std::enable_if_t<std::is_class_v<L> || std::is_class_v<R>>,        \
              typename = void>                                                              \
    HEDDLE_INTERNAL_INLINE static constexpr auto apply(const L& left, const R& right, ...)  \
        -> decltype(static_cast<bool>(const_cast<L&>(left) sign const_cast<R&>(right))) {   \
      return static_cast<bool>(const_cast<L&>(left) sign const_cast<R&>(right));            \
    }                                                                                       \
  };
HEDDLE_INTERNAL_COMPARISON(Equal, ==)
HEDDLE_INTERNAL_COMPARISON(NotEqual, !=)
HEDDLE_INTERNAL_COMPARISON(Less, <)
HEDDLE_INTERNAL_COMPARISON(Greater, >)
HEDDLE_INTERNAL_COMPARISON(LessOrEqual, <=)
HEDDLE_INTERNAL_COMPARISON(GreaterOrEqual, >=)
#undef HEDDLE_INTERNAL_COMPARISON

template <typename T>
struct Held;

template <typename T>
HEDDLE_INTERNAL_INLINE constexpr auto hold(const T& value) {
  using Plain = std::remove_cv_t<T>;
  if constexpr (std::is_scalar_v<Plain>) {
    return Held<Plain>{value};
  } else if constexpr (Atomic<Plain>::value) {
    return Held<typename Atomic<Plain>::Value>{value};
  } else {
    return Held<const T&>{value};
  }
}

template <typename Comparison, typename L, typename R>
HEDDLE_INTERNAL_INLINE constexpr Compared<L, R> compare(const Held<L>& left, const Held<R>& right) {
  return {Comparison::apply(left.value, right.value, 0), left.value, right.value,
          Comparison::kSign};
}

template <typename T>
struct Held {
  T value;

  // For a temporary, as it is: so they suit better than what a class has for anything, as optional.
  template <typename R>
  HEDDLE_INTERNAL_INLINE constexpr auto operator==(const R& right) && {
    return compare<Equal>(*this, hold(right));
  }
  template <typename R>
  HEDDLE_INTERNAL_INLINE constexpr auto operator!=(const R& right) && {
    return compare<NotEqual>(*this, hold(right));
  }
  template <typename R>
  HEDDLE_INTERNAL_INLINE constexpr auto operator<(const R& right) && {
    return compare<Less>(*this, hold(right));
  }
  template <typename R>
  HEDDLE_INTERNAL_INLINE constexpr auto operator>(const R& right) && {
    return compare<Greater>(*this, hold(right));
  }
  template <typename R>
  HEDDLE_INTERNAL_INLINE constexpr auto operator<=(const R& right) && {
    return compare<LessOrEqual>(*this, hold(right));
  }
  template <typename R>
  HEDDLE_INTERNAL_INLINE constexpr auto operator>=(const R& right) && {
    return compare<GreaterOrEqual>(*this, hold(right));
  }
  template <typename R>
  HEDDLE_INTERNAL_INLINE constexpr decltype(auto) operator&(const R& right) && {
    return value & right;
  }
  template <typename R>
  HEDDLE_INTERNAL_INLINE constexpr decltype(auto) operator|(const R& right) && {
    return value | right;
  }
  template <typename R>
  HEDDLE_INTERNAL_INLINE constexpr decltype(auto) operator^(const R& right) && {
    return value ^ right;
  }
  HEDDLE_INTERNAL_INLINE constexpr explicit operator bool() const {
    return static_cast<bool>(value);
  }
};

struct Operands {
  template <typename T>
  HEDDLE_INTERNAL_INLINE constexpr auto operator<=(const T& value) const {
    return hold(value);
  }
};

template <typename T>
HEDDLE_INTERNAL_INLINE constexpr bool holds(const T& value) {
  return static_cast<bool>(value);
}

template <typename Left, typename Right>
HEDDLE_INTERNAL_INLINE constexpr bool holds(const Compared<Left, Right>& compared) {
  if (!compared.result) {
    using L = std::remove_reference_t<Left>;
    using R = std::remove_reference_t<Right>;
    Operand left = operand_of<kHoldsText<R>>(compared.left);
    Operand right = operand_of<kHoldsText<L>>(compared.right);
    heddle_assert_operands(compared.sign, left.kind, left.value, left.size, right.kind, right.value,
                           right.size);
  }
  return compared.result;
}

}  // namespace heddle::internal

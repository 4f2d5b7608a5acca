// Yield points, for code under test: places where other threads are expected to come between. What
// a thread does from one to the next is to be like one step: `heddle cooperative` checks that. A
// test script (heddle/scenario.h) can take over there. In other searches they do nothing, and in a
// build without Heddle, or with HEDDLE_NO_YIELDS defined, they are nothing.
//
//   HEDDLE_YIELD("Await");                       here
//   int n = HEDDLE_YIELD_READ("size", size_);    before the read
//   HEDDLE_YIELD_WRITE("size", size_) = n + 1;   when n + 1 is known, before the write
#pragma once

#if defined(__SANITIZE_THREAD__)
#define HEDDLE_HAS_YIELDS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HEDDLE_HAS_YIELDS 1
#endif
#endif

#if defined(HEDDLE_HAS_YIELDS) && !defined(HEDDLE_NO_YIELDS)

#include <utility>

// Weak: code that was compiled for Heddle may be linked without it.
extern "C" __attribute__((weak)) void heddle_yield_point(const char* label);

namespace heddle::internal {

__attribute__((always_inline)) inline void yield_point(const char* label) {
  if (heddle_yield_point != nullptr) heddle_yield_point(label);
}

// What is written is computed before the yield, and written after it (concurrit, section 3.1).
template <typename T>
class YieldWrite {
 public:
  YieldWrite(const char* label, T& target) : label_(label), target_(target) {}

  template <typename U>
  T& operator=(U&& value) {
    yield_point(label_);
    target_ = std::forward<U>(value);
    return target_;
  }

 private:
  const char* label_;
  T& target_;
};

}  // namespace heddle::internal

#define HEDDLE_YIELD(label) ::heddle::internal::yield_point(label)
#define HEDDLE_YIELD_READ(label, variable) (::heddle::internal::yield_point(label), (variable))
#define HEDDLE_YIELD_WRITE(label, variable) ::heddle::internal::YieldWrite(label, variable)

#else

#define HEDDLE_YIELD(label) static_cast<void>(0)
#define HEDDLE_YIELD_READ(label, variable) (variable)
#define HEDDLE_YIELD_WRITE(label, variable) (variable)

#endif

// HEDDLE_CHECK: what the engine holds to be true of itself. On in every build; a violation is exit
// code 4.
//
// It throws, so that the workers are ended on the way out. Engine only: the runtime has
// HEDDLE_INVARIANT.
#pragma once

#include <string>

#include "base/error.h"

namespace heddle {

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": " + condition);
}

}  // namespace heddle

#define HEDDLE_CHECK(condition)                                                               \
  (__builtin_expect(!(condition), 0) ? ::heddle::check_failed(#condition, __FILE__, __LINE__) \
                                     : (void)0)

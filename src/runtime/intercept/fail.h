// How functions of libc tell of an error.
#pragma once

#include <errno.h>

namespace heddle::runtime {

inline int fail(int error) {
  errno = error;
  return -1;
}

// The kernel's result as libc's.
inline long answer(long result) { return result < 0 ? fail(static_cast<int>(-result)) : result; }

}  // namespace heddle::runtime

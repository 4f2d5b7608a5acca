// Futexes, as programs and libstdc++ reach them through syscall(2).
#pragma once

#include <cstdint>

namespace heddle::runtime {

// The system call with its six arguments: its result, or -1 and errno.
long futex_call(const long* arguments, uint64_t pc);

}  // namespace heddle::runtime

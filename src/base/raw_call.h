// System calls without libc, for code that also runs inside the program under test: libc's
// functions are taken over there, and may not have been found yet. The result is the kernel's: from
// -4095 to -1 it is an error.
#pragma once

namespace heddle {

inline long raw_call(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "0"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  return result;
}

inline long raw_call(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

template <typename T>
long raw_argument(T* pointer) {
  return reinterpret_cast<long>(pointer);
}

}  // namespace heddle

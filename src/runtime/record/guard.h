// Work that may fault, since it follows what the program has left: a broken stack, a pointer into
// nowhere. A fault ends the work, and nothing else (ending/signals.cc).
#pragma once

namespace heddle::runtime {

extern bool g_guarded;       // such work is under way
extern void* g_way_back[5];  // from it: of __builtin_setjmp

// False: it faulted. What it had written so far is there.
template <typename Work>
__attribute__((noinline)) bool guarded(Work work) {
  if (__builtin_setjmp(g_way_back) != 0) return false;
  g_guarded = true;
  work();
  g_guarded = false;
  return true;
}

// From a signal handler.
[[noreturn]] inline void leave_guarded() {
  g_guarded = false;
  __builtin_longjmp(g_way_back, 1);
}

}  // namespace heddle::runtime

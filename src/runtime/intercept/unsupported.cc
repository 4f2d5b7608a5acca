// What cannot be controlled yet stops the execution with its name; it never runs on its own.
// Outside of an execution each of these is libc's.
//
// A stub takes any arguments: it looks at g_active and jumps, to libc or to the message.
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "runtime/detect/ending.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

// clang-format off
#define HEDDLE_UNSUPPORTED_FUNCTIONS(F)                                                       \
  F(pthread_kill) F(pthread_sigqueue) F(fork)   \
  F(vfork) F(posix_spawn) F(posix_spawnp) F(system) F(popen) F(clone) F(execve) F(execv)      \
  F(execvp) F(execvpe) F(execl) F(execlp) F(execle) F(setitimer) F(alarm)     \
  F(ualarm) F(pause) F(sigsuspend) F(sigwait) F(sigwaitinfo) F(sigtimedwait) F(msgrcv)        \
  F(semop) F(semtimedop) F(mq_receive) F(mq_timedreceive) F(wait) F(waitid)
// clang-format on

namespace heddle::runtime {

extern "C" {
[[noreturn]] __attribute__((visibility("hidden"), used)) void heddle_unsupported(const char* name,
                                                                                 uint64_t pc) {
  char message[256];
  snprintf(message, sizeof message, "%s", name);
  end_unsupported(message, pc);
}

#define HEDDLE_UNSUPPORTED_POINTER(name) \
  __attribute__((visibility("hidden"), used)) void* heddle_native_##name;
HEDDLE_UNSUPPORTED_FUNCTIONS(HEDDLE_UNSUPPORTED_POINTER)
#undef HEDDLE_UNSUPPORTED_POINTER
}

namespace {

__attribute__((constructor(101))) void find_native() {
#define HEDDLE_UNSUPPORTED_FIND(name) heddle_native_##name = dlsym(RTLD_NEXT, #name);
  HEDDLE_UNSUPPORTED_FUNCTIONS(HEDDLE_UNSUPPORTED_FIND)
#undef HEDDLE_UNSUPPORTED_FIND
}

}  // namespace

}  // namespace heddle::runtime

// clang-format off
#define HEDDLE_UNSUPPORTED_STUB(name)            \
  __asm__(                                       \
      ".text\n"                                  \
      ".globl " #name "\n"                       \
      ".type " #name ", @function\n"             \
      ".align 16\n" #name ":\n"                  \
      "cmpb $0, heddle_g_active(%rip)\n"         \
      "jne 1f\n"                                 \
      "jmp *heddle_native_" #name "(%rip)\n"     \
      "1: leaq 2f(%rip), %rdi\n"                 \
      "movq (%rsp), %rsi\n"                      \
      "jmp heddle_unsupported\n"                 \
      ".size " #name ", . - " #name "\n"         \
      ".section .rodata\n"                       \
      "2: .asciz \"" #name "\"\n"                \
      ".text\n");
// clang-format on
HEDDLE_UNSUPPORTED_FUNCTIONS(HEDDLE_UNSUPPORTED_STUB)

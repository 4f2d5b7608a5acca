// What cannot be controlled yet stops the execution with its name; it never runs on its own.
// Outside of an execution each of these is libc's.
//
// A stub takes any arguments: it looks at g_active and jumps, to libc or to the message.
#include <dlfcn.h>

#include "runtime/ending/ending.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

// clang-format off
#define HEDDLE_UNSUPPORTED_FUNCTIONS(F)                                                            \
  F(fork, PROCESS) F(_Fork, PROCESS) F(vfork, PROCESS) F(forkpty, PROCESS) F(daemon, PROCESS)      \
  F(posix_spawn, PROCESS) F(posix_spawnp, PROCESS) F(system, PROCESS) F(popen, PROCESS)            \
  F(clone, PROCESS) F(execve, PROCESS) F(execv, PROCESS) F(execvp, PROCESS) F(execvpe, PROCESS)    \
  F(execl, PROCESS) F(execlp, PROCESS) F(execle, PROCESS) F(execveat, PROCESS) F(fexecve, PROCESS) \
  F(wait, PROCESS) F(waitid, PROCESS) F(wait3, PROCESS) F(wait4, PROCESS)                          \
  F(pthread_kill, SIGNAL) F(pthread_sigqueue, SIGNAL) F(tgkill, SIGNAL)                            \
  F(pause, WAIT) F(sigpause, WAIT) F(sigsuspend, WAIT) F(sigwait, WAIT) F(sigwaitinfo, WAIT)       \
  F(sigtimedwait, WAIT)                                                                            \
  F(setitimer, TIMER) F(alarm, TIMER) F(ualarm, TIMER)                                             \
  F(msgrcv, QUEUE) F(semop, QUEUE) F(semtimedop, QUEUE) F(mq_receive, QUEUE)                       \
  F(mq_timedreceive, QUEUE) F(mq_notify, QUEUE)                                                    \
  F(aio_read, ASYNCHRONOUS) F(aio_write, ASYNCHRONOUS) F(aio_fsync, ASYNCHRONOUS)                  \
  F(aio_suspend, ASYNCHRONOUS) F(lio_listio, ASYNCHRONOUS) F(getaddrinfo_a, ASYNCHRONOUS)          \
  F(setuid, IDENTITY) F(setgid, IDENTITY) F(seteuid, IDENTITY) F(setegid, IDENTITY)                \
  F(setreuid, IDENTITY) F(setregid, IDENTITY) F(setresuid, IDENTITY) F(setresgid, IDENTITY)        \
  F(setgroups, IDENTITY) F(initgroups, IDENTITY)

// What to do instead.
#define HEDDLE_HINT_PROCESS                                                                   \
  "start processes before the test begins, or put a function that the test replaces around "  \
  "the call"
#define HEDDLE_HINT_SIGNAL                                                                    \
  "signals to threads are not part of the search: call what the handler does from a thread "  \
  "of the test"
#define HEDDLE_HINT_WAIT "let threads wait for a condition variable, a semaphore or an eventfd"
#define HEDDLE_HINT_TIMER                                                                     \
  "timers with threads of their own are supported: timer_create with SIGEV_THREAD, or "       \
  "timerfd_create"
#define HEDDLE_HINT_QUEUE "use POSIX semaphores, a pipe or a socket pair that the test makes itself"
#define HEDDLE_HINT_ASYNCHRONOUS "call the function that waits, in a thread of its own"
#define HEDDLE_HINT_IDENTITY                                                                  \
  "an execution cannot give its identity back: change it before the test begins, or put a "   \
  "function that the test replaces around the call"
// clang-format on

namespace heddle::runtime {

extern "C" {
[[noreturn]] __attribute__((visibility("hidden"), used)) void heddle_unsupported(const char* name,
                                                                                 uint64_t pc,
                                                                                 const char* hint) {
  end_unsupported(name, pc, hint);
}

#define HEDDLE_UNSUPPORTED_POINTER(name, hint) \
  __attribute__((visibility("hidden"), used)) void* heddle_native_##name;
HEDDLE_UNSUPPORTED_FUNCTIONS(HEDDLE_UNSUPPORTED_POINTER)
#undef HEDDLE_UNSUPPORTED_POINTER
}

namespace {

__attribute__((constructor(101))) void find_native() {
#define HEDDLE_UNSUPPORTED_FIND(name, hint) heddle_native_##name = dlsym(RTLD_NEXT, #name);
  HEDDLE_UNSUPPORTED_FUNCTIONS(HEDDLE_UNSUPPORTED_FIND)
#undef HEDDLE_UNSUPPORTED_FIND
}

}  // namespace

}  // namespace heddle::runtime

// clang-format off
#define HEDDLE_UNSUPPORTED_STUB(name, hint)      \
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
      "leaq 3f(%rip), %rdx\n"                    \
      "jmp heddle_unsupported\n"                 \
      ".size " #name ", . - " #name "\n"         \
      ".section .rodata\n"                       \
      "2: .asciz \"" #name "\"\n"                \
      "3: .asciz \"" HEDDLE_HINT_##hint "\"\n"   \
      ".text\n");
// clang-format on
HEDDLE_UNSUPPORTED_FUNCTIONS(HEDDLE_UNSUPPORTED_STUB)

// Calls by which the kernel writes into the program's memory. A page of the snapshot that has not
// been written yet is protected, and the kernel would answer EFAULT where a store of the program is
// let through. So before such a call the whole snapshot is opened for the rest of the execution,
// and compared afterwards, as after the first one. (intercept/input.cc and its
// neighbours know the exact bytes of the most frequent ones, and open just those.)
//
// The calls themselves are libc's. A stub before each keeps the arguments, and jumps on.
#include <dlfcn.h>

#include "runtime/isolate/snapshot.h"
#include "runtime/runtime.h"

// clang-format off
#define HEDDLE_KERNEL_WRITES(F)                                                                  \
  F(stat) F(stat64) F(fstat) F(fstat64) F(lstat) F(lstat64) F(fstatat) F(fstatat64) F(statx)     \
  F(statfs) F(statfs64) F(fstatfs) F(fstatfs64) F(statvfs) F(statvfs64) F(fstatvfs)              \
  F(fstatvfs64) F(preadv) F(preadv2) F(pread64) F(getcwd) F(readlink) F(readlinkat)              \
  F(getsockname) F(getpeername) F(getsockopt) F(uname) F(gethostname) F(getrlimit)               \
  F(getrlimit64) F(getrusage) F(times) F(sysinfo) F(getgroups) F(sigprocmask) F(sigpending)      \
  F(getitimer) F(clock_getres) F(sched_getaffinity) F(sched_getparam) F(getxattr)                \
  F(listxattr) F(readdir_r) F(fread_unlocked)

#define HEDDLE_KERNEL_WRITE_STUB(name)               \
  __asm__(                                           \
      ".text\n"                                      \
      ".globl " #name "\n"                           \
      ".type " #name ", @function\n"                 \
      ".align 16\n" #name ":\n"                      \
      "cmpb $0, heddle_g_active(%rip)\n"             \
      "je 1f\n"                                      \
      "pushq %rdi\n"                                 \
      "pushq %rsi\n"                                 \
      "pushq %rdx\n"                                 \
      "pushq %rcx\n"                                 \
      "pushq %r8\n"                                  \
      "pushq %r9\n"                                  \
      "pushq %rax\n"                                 \
      "call heddle_before_kernel_write\n"            \
      "popq %rax\n"                                  \
      "popq %r9\n"                                   \
      "popq %r8\n"                                   \
      "popq %rcx\n"                                  \
      "popq %rdx\n"                                  \
      "popq %rsi\n"                                  \
      "popq %rdi\n"                                  \
      "1: jmp *heddle_kernel_write_" #name "(%rip)\n" \
      ".size " #name ", . - " #name "\n");
// clang-format on

extern "C" {
__attribute__((visibility("hidden"), used)) void heddle_before_kernel_write() {
  heddle::runtime::snapshot_open();
}

#define HEDDLE_KERNEL_WRITE_POINTER(name) \
  __attribute__((visibility("hidden"), used)) void* heddle_kernel_write_##name;
HEDDLE_KERNEL_WRITES(HEDDLE_KERNEL_WRITE_POINTER)
#undef HEDDLE_KERNEL_WRITE_POINTER
}

HEDDLE_KERNEL_WRITES(HEDDLE_KERNEL_WRITE_STUB)

namespace heddle::runtime {

namespace {

__attribute__((constructor(101))) void find_kernel_writes() {
#define HEDDLE_KERNEL_WRITE_FIND(name) heddle_kernel_write_##name = dlsym(RTLD_NEXT, #name);
  HEDDLE_KERNEL_WRITES(HEDDLE_KERNEL_WRITE_FIND)
#undef HEDDLE_KERNEL_WRITE_FIND
}

}  // namespace

}  // namespace heddle::runtime

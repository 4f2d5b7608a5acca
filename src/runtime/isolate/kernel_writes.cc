// Calls by which the kernel writes into the program's memory. A page of the snapshot that has not
// been written yet is protected, and the kernel would answer EFAULT where a store of the program is
// let through. So before such a call the whole snapshot is opened for the rest of the execution,
// and compared afterwards, as after the first one. (intercept/input.cc and its
// neighbours know the exact bytes of the most frequent ones, and open just those. Calls that look
// at files are in intercept/files.cc and intercept/open_files.cc, and do the same.)
#include "runtime/before.h"
#include "runtime/isolate/snapshot.h"
#include "runtime/run.h"

using namespace heddle::runtime;

HEDDLE_LOOK(heddle_kernel_write) {
  ++g_run.outside;
  snapshot_open();
}

// clang-format off
#define HEDDLE_KERNEL_WRITES(F)                                                                  \
  F(uname) F(gethostname) F(getrusage) F(times) F(sysinfo)                                       \
  F(getgroups) F(sigprocmask) F(sigpending) F(getitimer) F(clock_getres) F(sched_getaffinity)    \
  F(sched_getparam)
// clang-format on

#define HEDDLE_KERNEL_WRITE(name) HEDDLE_BEFORE(name, heddle_kernel_write)
HEDDLE_KERNEL_WRITES(HEDDLE_KERNEL_WRITE)

// Calls that ask for what libc, the kernel or the processor keep, or change it, and are no
// operations: few programs make them, and fewer depend on their order. But a loop may count in what
// is kept there, so a way on which they are made proves no livelock: see record/recurrence.h.
// (Those by which the kernel writes into memory are in isolate/kernel_writes.cc.)
#include "runtime/before.h"
#include "runtime/schedule/scheduler.h"

using namespace heddle::runtime;

HEDDLE_LOOK(heddle_asks_outside) { ++g_run.outside; }

#define HEDDLE_ASKS(name) HEDDLE_BEFORE(name, heddle_asks_outside)

// The kernel, of the process.
HEDDLE_ASKS(getloadavg)
HEDDLE_ASKS(mincore)

// … and of a thread.
HEDDLE_ASKS(prctl)
HEDDLE_ASKS(pthread_sigmask)
HEDDLE_ASKS(sched_getcpu)
HEDDLE_ASKS(getcpu)
HEDDLE_ASKS(sched_setaffinity)
HEDDLE_ASKS(sched_setparam)
HEDDLE_ASKS(sched_getscheduler)
HEDDLE_ASKS(sched_setscheduler)

// libc.
HEDDLE_ASKS(getopt)
HEDDLE_ASKS(getopt_long)
HEDDLE_ASKS(getopt_long_only)
HEDDLE_ASKS(hcreate)
HEDDLE_ASKS(hsearch)
HEDDLE_ASKS(hdestroy)
HEDDLE_ASKS(mblen)
HEDDLE_ASKS(mbtowc)
HEDDLE_ASKS(wctomb)
HEDDLE_ASKS(mbrlen)
HEDDLE_ASKS(mbrtowc)
HEDDLE_ASKS(wcrtomb)
HEDDLE_ASKS(sbrk)
HEDDLE_ASKS(brk)

// std::random_device::operator(), which asks the processor.
HEDDLE_ASKS(_ZNSt13random_device9_M_getvalEv)
HEDDLE_ASKS(_ZNSt13random_device16_M_getval_pretr1Ev)

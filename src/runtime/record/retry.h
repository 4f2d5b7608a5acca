// Retry loops: of a round that fails, and leaves nothing behind, it is enough to see that it does
// (--retries last).
//
// A round of a thread begins with an atomic load, reads on, and ends with a compare-exchange. If
// that fails, and the thread comes to its next compare-exchange as it would have come to it had it
// begun with the last of its loads, then the round before might as well not have been: there is an
// execution in which the thread only begins here, with everything else as it is, and all that can
// follow follows from that one, too. So the thread stops here, and the others go on: for the
// search it is a thread that ends after a failed compare-exchange. (GenMC, which has this for loops
// that its compiler pass recognises, blocks the thread: Kokologiannakis, Ren, Vafeiadis: Dynamic
// Partial Order Reductions for Spinloops, FMCAD 2021. A departure: here it is shown for each round
// by running it, and not from the code.)
//
// How it is shown. When the round begins, the thread's stack and registers are kept. Where it comes
// to the next compare-exchange, that is taken back, with all that it has written since then, and
// the thread goes from there again, a rehearsal: its loads get the values that those after the
// failure got. It must come to the same compare-exchange with the same operands, and registers,
// stack and memory must be the same, to the byte. Then everything is as it was before.
//
// What is not shown is not left out. A round that does anything but reads of atomics and plain
// accesses is none: other operations, calls that take or free memory, keep something for
// themselves or ask for the time. Nor are there any once somebody has yielded (whoever waits for a
// thread that has stopped would wait for ever, and which executions have no end is not for this to
// say), or if races are no failures: what the round wrote could then have been read. What is
// written by code that is not instrumented is not seen.
//
// Races. What the round has accessed can race with what another thread does only later, after this
// one has gone on. If that one knows that it has gone on, and everything by which threads know of
// each other orders them, there is no such race. So once an operation is seen that tells without
// ordering, a relaxed load for example, the search begins again, and leaves out only rounds whose
// every access is also made in the rehearsal.
#pragma once

#include "runtime/thread.h"

namespace heddle::runtime {

extern bool g_last_retries;  // --retries last
extern bool g_rehearses;     // the running thread is in a rehearsal
// Rehearsals have to make all accesses that their rounds have made. So it is if this name stands
// among the places that have been learnt.
extern bool g_covers_rounds;
inline constexpr uint64_t kTellsWithoutOrder = 0x74656c6c73;

void retries_begin();
void retries_begin_run();

// An atomic, as it was read.
struct RetryRead {
  uint64_t object;
  uint64_t size;
  uint64_t value[2];
};

// What a compare-exchange is called with.
struct RetryExchange {
  uint64_t object;
  uint64_t size;
  uint64_t place;  // of the expected value, where that is the program's; else 0
  uint64_t expected[2];
  uint64_t desired[2];
  uint64_t orders;
  uint64_t pc;
};

// The running thread is about to load. True: it is in a rehearsal from here, and gets its value
// from rehearsed_read().
bool retry_load_comes();
void retry_loaded(const RetryRead& read);
// The value that the load gets; if it is none of those that were read, the rehearsal ends here.
RetryRead rehearsed_read(uint64_t object, uint64_t size);

// The running thread has come to a compare-exchange. True: it is shown that the rounds before it
// have left nothing behind.
bool retry_exchange_comes(const RetryExchange& exchange);
// It has failed, and is about to write what it has read to where the expected value was; null: that
// is not the program's.
void retry_failed(const void* place, const RetryRead& read);

// A plain access of the running thread. True: it is in a rehearsal, and nobody is to look at the
// access.
bool retry_access(uint64_t address, uint64_t size, bool write);
// An operation of the running thread writes there. A stack on which somebody else writes cannot be
// put back.
void retry_written(uint64_t address);

// The running thread does something that no round does.
void retry_interrupted();

// Asked of detect/: the running thread performs an operation that may tell without ordering.
void retry_tells();
inline void no_round() {
  if (HEDDLE_UNLIKELY(g_last_retries)) retry_interrupted();
}

}  // namespace heddle::runtime

// A thread of the program under test, in one execution.
#pragma once

#include <cstdint>

#include "runtime/runtime.h"

namespace heddle::runtime {

struct DescriptorWait;  // sync/descriptors.h
struct Slot;  // carrier/slots.h: the parked pthread whose stack and thread-local storage it uses

enum class State : uint8_t {
  ready,    // its pending operation can proceed
  late,     // it can proceed too, but it gives way: a yield, a sleep, a time-out. By default the
            // others go first
  blocked,  // it cannot
  ended,
};

// Whether performing a pending operation is a yield: see filter/fair.h.
enum class Yields : uint8_t {
  no,
  perhaps,  // a try: if it is in vain
  counted,  // the thread has made many steps without one: --yield-after
  yes,
};

// The operation that a thread has announced and not yet performed.
struct Pending {
  wire::Op op;
  uint8_t size;  // of the object's value in bytes, 0: it has none to show
  bool open;     // it has several outcomes: see outcomes()
  Yields yields;
  bool copies;      // it reads the second object, so many bytes as it is on
  uint64_t object;  // address, or the id of a thread for operations on threads
  uint64_t
      bytes;  // that it is on, from there; of a synchronisation object the first stands for all
  uint64_t second;  // another address that the operation changes: the mutex of a wait; 0: none
  uint64_t pc;
  bool (*can)(
      uint64_t object);  // whether the object permits the operation now; null: it always does
  int64_t deadline;      // of a late operation, by the thread's own clock
  uint32_t choices;      // of choose; the descriptor, where the operation is on one
  int order;             // of an atomic read that has several stores to see: memory/memory.h
  uint64_t expected[2];  // of a compare-exchange: the value, in the first `size` bytes
  DescriptorWait* descriptors;  // that it waits for; valid if `can` says so
};

// A reader-writer lock that a thread holds for reading.
struct Read {
  uint64_t object;
  uint32_t times;  // 0: none
};
inline constexpr uint32_t kReads = 8;  // locks that a thread reads at once and is known to

// What a thread has read since it wrote: see filter/spin.h.
struct Spin {
  uint32_t patience;  // reads after which another anchor is set; 0: it has read nothing
  uint32_t reads;     // since the anchor, or since the loop last came round to it
  uint32_t rounds;    // the same way, one after the other
  bool certain;       // the loop has no end of its own
  uint64_t anchor;
  uint64_t path;  // hash of the reads
  uint64_t last_path;
  uint64_t local;  // hash of registers and stack, the last time round
};

// Where a thread has yielded before, and how it stood then: see counts_as_yield().
struct YieldPlace {
  uint64_t pc;
  uint64_t local;  // hash of registers and stack; 0: it cannot be told
  uint32_t misses;
};
inline constexpr uint32_t kYieldPlaces = 4;  // that are remembered, the last ones

// What a function of the program keeps in registers across the call that it makes, and where that
// call returns to: as yield.S leaves it on the stack, where the program's own part begins behind
// it.
struct KeptRegisters {
  uint64_t values[6];
  uint64_t pc;
};

// Threads from this number on are left out by the fair scheduler: filter/fair.h.
inline constexpr uint32_t kFairThreads = 4096;

// What every step touches stands first.
struct alignas(64) Thread {
  Pending pending;
  State state;
  uint8_t held_by;     // filters that keep it from going: filter/hold_back.h
  uint16_t flags;      // of its next step, as far as they are known: wire::StepFlags
  uint32_t outcome;    // chosen for the pending operation
  uint32_t index;      // order of creation in this execution
  uint32_t rank;       // place among the living by id
  uint32_t after;      // the step that created it or let it go, until its next one; else kNoStep
  uint32_t unyielded;  // steps since its last yield, up to when it last began to run
  uint32_t last_step;  // when it stopped running; else kNoStep
  uint64_t id;         // hash of its path: the same in every schedule
  uint64_t last_hash;  // of its last step: the thread's part of the happens-before
  int64_t now;         // its virtual time, in nanoseconds: see record/fingerprint.h
  void* sp;            // while it does not run
  Slot* slot;
  Spin spin;
  uint64_t stack_low;
  uint64_t stack_high;             // of what is the program's
  const KeptRegisters* registers;  // while it is in a call that has kept them
  bool runs_script;                // heddle/scenario.h
  bool stopped;                    // for good: record/retry.h
  bool detached;
  bool joined;
  bool woke_spuriously;    // when it last woke on a condition or futex: not twice in a row
  bool failed_spuriously;  // its last weak compare-exchange did: not twice in a row
  bool signalled;          // its condition, futex or barrier has let it go
  bool cancel_requested;   // see sync/cancellation.h
  bool cancel_disabled;
  bool cancellable;  // its pending operation is a wait that a request ends
  bool interrupted;  // … and one has
  bool leaving;      // by pthread_exit or cancellation: requests are void
  // See filter/fair.h.
  bool is_behind;          // P has the thread standing behind others …
  bool newly_disabled;     // the running thread's step was the first of its window to do that
  bool yield_counts;       // its last one, or the one that is pending
  uint32_t window;         // the step that it begins before; kNoStep: no yield yet
  uint32_t enabled_since;  // step
  uint32_t disabled_at;
  uint32_t yields;  // so far
  uint32_t next_place;
  uint32_t parent;   // index; kNoThread for main
  uint32_t ordinal;  // which child of its parent, from 1
  uint32_t children;
  uint32_t depth;        // length of its path
  uint32_t channels;     // pipes and the like that it has made
  uint32_t files;        // descriptors that it was given: see detect/outside.h
  uint32_t focus_calls;  // entered from its outermost function in focus, and not left
  uint64_t focus_frame;  // stack pointer in that one; 0: there is none
  uint64_t wait_number;  // order of arrival among waiters
  void* result;          // of its function
  uint32_t other_reads;  // how often it holds locks for reading that did not fit
  bool has_reads;        // some of the following are in use
  // The rest is cleared only where it has been used.
  alignas(64) YieldPlace places[kYieldPlaces];
  Read reads[kReads];
};

// The outcome of an operation that comes, or fails, for no reason: see --spurious.
inline constexpr uint32_t kSpuriously = 1;

// True for a thread that sleeps on a condition or futex until somebody lets it go.
inline bool is_sleeping(const Thread* thread) {
  return wire::has(thread->pending.op, wire::kSleeps) && !thread->signalled;
}

// The second object that a pending operation changes; 0: none. A sleeper keeps its mutex in mind,
// but its time-out does not touch it.
inline uint64_t second_object(const Pending& pending) {
  return pending.op != wire::Op::cond_sleep ? pending.second : 0;
}

}  // namespace heddle::runtime

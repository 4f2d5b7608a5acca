// The vocabulary that runtime, engine and reports share: kinds of operations, failures and endings.
//
// Each list is one macro, so that numbers, names and properties cannot drift apart. Numbers are
// part of the wire (see layout.h, kVersion); names are part of the contract with scripts (JSON,
// schedule files).
#pragma once

#include <cstdint>

namespace heddle::wire {

// A row is a line.
// clang-format off

// What is known of a kind of operation, apart from its words and its effect: bits of its row.
enum OpTrait : uint64_t {
  kWaits = 1u << 0,         // may have to wait until it can be performed
  kNeverStuck = 1u << 1,    // … but may proceed all the same: after a time, or since somebody woke it
  kLocks = 1u << 2,         // gets a mutex, and waits for it as long as that takes
  kOfMutex = 1u << 3,       // what a mutex is there for
  kTries = 1u << 4,         // may come back without the mutex that it was for
  kLetsGo = 1u << 5,        // lets go of a mutex
  kReleases = 1u << 6,      // what others wait for
  kSleeps = 1u << 7,        // until somebody lets it go
  kSpurious = 1u << 8,      // has a second outcome that needs no reason: it wakes, or fails, spuriously
  kOnlyYields = 1u << 9,    // does nothing but that
  kGivesWay = 1u << 10,     // by default others go before it, or may
  kMayOnlyRead = 1u << 11,  // may turn out to have written nothing
  kOnDescriptor = 1u << 12,
  kOnSeveral = 1u << 13,    // descriptors, not one
  kOutside = 1u << 14,      // concerns more than the program's memory and the states of its threads
  kTouchesAll = 1u << 15,   // depends on everything: see dependence.h
  kUnnamed = 1u << 16,      // its words say all: its object is its own thread, or has no name

  // Pairs: one waits for what the other does.
  kForPost = 1u << 17, kPosts = 1u << 18,
  kForReading = 1u << 19, kLetsRead = 1u << 20,
  kForWriting = 1u << 21, kLetsWrite = 1u << 22,
  kForArrival = 1u << 23, kArrives = 1u << 24,
  kForEnd = 1u << 25, kEnds = 1u << 26,
  kForOnce = 1u << 27, kEndsOnce = 1u << 28,
  kForGuard = 1u << 29, kEndsGuard = 1u << 30,

  kAccess = 1ull << 31,     // reads or writes a variable
  kEndsPiece = 1ull << 32,  // of what its thread does, as far as that is to be like one step: others are expected here

  kDescriptor = kWaits | kGivesWay | kOnDescriptor | kOutside | kEndsPiece,
};

// Words of a kind that do not follow from its name. % stands for the object; where that has no name, it is left out
// with the blank before it. Null: nothing but the usual.
struct OpWords {
  const char* named = nullptr;            // what it does; usually its text, and the object behind it
  const char* waiting = nullptr;          // of a thread that waits with it; usually "waits to " and the text
  const char* waiting_unnamed = nullptr;  // … where the object has no name
  const char* look = nullptr;             // of a thread that looks at something, again and again
  const char* gives_up = "";              // after a look that was in vain
};

// One row for each kind of operation, with all that is known of it: nobody else lists kinds.
// HEDDLE_OP(identifier, text shown to people, effect on the object, OpTraits, OpWords...)
//   effect: 'r' reads it (commutes with other reads), 'w' changes it, '-' has no object others can notice.
#define HEDDLE_OPERATIONS(HEDDLE_OP) \
  HEDDLE_OP(begin, "thread begins", '-', kGivesWay | kUnnamed) \
  HEDDLE_OP(end, "thread ends", 'w', kReleases | kUnnamed | kEnds) \
  HEDDLE_OP(create, "create thread", 'w', 0) \
  HEDDLE_OP(join, "join thread", 'w', kWaits | kGivesWay | kForEnd | kEndsPiece, \
            .waiting = "waits for % to end", \
            .waiting_unnamed = "waits for a thread to end") \
  HEDDLE_OP(detach, "detach thread", 'w', 0) \
  HEDDLE_OP(exit, "exit", 'w', kTouchesAll) \
  HEDDLE_OP(lock, "lock mutex", 'w', kWaits | kLocks | kOfMutex) \
  HEDDLE_OP(trylock, "try to lock mutex", 'w', kOfMutex | kTries, .look = "tries to lock mutex %") \
  HEDDLE_OP(timedlock, "lock mutex with timeout", 'w', kWaits | kNeverStuck | kOfMutex | kTries | kGivesWay, \
            .look = "waits to lock mutex %", \
            .gives_up = ", and gives up") \
  HEDDLE_OP(unlock, "unlock mutex", 'w', kOfMutex | kLetsGo | kReleases) \
  HEDDLE_OP(cond_wait, "wait on condition", 'w', kOfMutex | kLetsGo | kEndsPiece) \
  HEDDLE_OP(cond_sleep, "time out on condition", 'w', kWaits | kNeverStuck | kSleeps | kSpurious | kGivesWay | kEndsPiece, \
            .waiting = "waits on condition %, not signalled") \
  HEDDLE_OP(cond_relock, "re-lock mutex after wait", 'w', kWaits | kLocks | kOfMutex, \
            .named = "re-lock mutex % after wait") \
  HEDDLE_OP(cond_signal, "signal condition", 'w', 0) \
  HEDDLE_OP(cond_broadcast, "broadcast condition", 'w', 0) \
  HEDDLE_OP(once, "call once", 'w', kWaits | kForOnce, .waiting = "waits for another thread's call once %") \
  HEDDLE_OP(once_done, "finish call once", 'w', kReleases | kEndsOnce) \
  HEDDLE_OP(guard, "enter static initialisation", 'w', kWaits | kForGuard, \
            .waiting = "waits for another thread to initialise %", \
            .waiting_unnamed = "waits for another thread to initialise a static") \
  HEDDLE_OP(guard_done, "finish static initialisation", 'w', kReleases | kEndsGuard) \
  HEDDLE_OP(atomic_load, "atomic load", 'r', kMayOnlyRead | kAccess, .look = "reads %") \
  HEDDLE_OP(atomic_store, "atomic store", 'w', kAccess) \
  HEDDLE_OP(atomic_rmw, "atomic update", 'w', kMayOnlyRead | kAccess, .look = "finds %") \
  HEDDLE_OP(atomic_cas, "compare-exchange", 'w', kSpurious | kMayOnlyRead | kAccess, .look = "finds %") \
  HEDDLE_OP(fence, "fence", '-', kMayOnlyRead) \
  HEDDLE_OP(read, "read", 'r', kMayOnlyRead | kAccess, .look = "reads %") \
  HEDDLE_OP(write, "write", 'w', kAccess) \
  HEDDLE_OP(volatile_read, "volatile read", 'r', kMayOnlyRead | kAccess, .look = "reads %") \
  HEDDLE_OP(volatile_write, "volatile write", 'w', kAccess) \
  HEDDLE_OP(yield, "yield", '-', kOnlyYields | kGivesWay | kEndsPiece) \
  HEDDLE_OP(sleep, "sleep", '-', kOnlyYields | kGivesWay | kEndsPiece) \
  HEDDLE_OP(choose, "choose", '-', kOutside) \
  HEDDLE_OP(rdlock, "lock for reading", 'w', kWaits | kGivesWay | kForReading | kLetsWrite) \
  HEDDLE_OP(wrlock, "lock for writing", 'w', kWaits | kGivesWay | kForWriting) \
  HEDDLE_OP(rwunlock, "unlock reader-writer lock", 'w', kReleases | kLetsRead | kLetsWrite) \
  HEDDLE_OP(sem_wait, "wait on semaphore", 'w', kWaits | kGivesWay | kForPost | kEndsPiece, .waiting = "waits on semaphore %") \
  HEDDLE_OP(sem_post, "post semaphore", 'w', kReleases | kPosts) \
  HEDDLE_OP(sem_value, "read semaphore", 'r', 0, .look = "reads semaphore %") \
  HEDDLE_OP(sem_open, "open named semaphore", 'w', kOutside | kUnnamed) \
  HEDDLE_OP(sem_unlink, "unlink named semaphore", 'w', kOutside | kUnnamed) \
  HEDDLE_OP(barrier_arrive, "arrive at barrier", 'w', kArrives) \
  HEDDLE_OP(barrier_pass, "pass barrier", 'w', kWaits | kForArrival | kEndsPiece, \
            .waiting = "waits at barrier % for others to arrive") \
  HEDDLE_OP(futex_wait, "wait on futex", 'w', kEndsPiece) \
  HEDDLE_OP(futex_sleep, "wake from futex", 'w', kWaits | kNeverStuck | kSleeps | kSpurious | kGivesWay | kEndsPiece, \
            .waiting = "waits on futex %, not woken") \
  HEDDLE_OP(futex_wake, "wake futex", 'w', 0) \
  HEDDLE_OP(fd_read, "read descriptor", 'w', kDescriptor) \
  HEDDLE_OP(fd_write, "write descriptor", 'w', kDescriptor) \
  HEDDLE_OP(fd_accept, "accept on descriptor", 'w', kDescriptor) \
  HEDDLE_OP(fd_connect, "connect descriptor", 'w', kDescriptor) \
  HEDDLE_OP(fd_change, "change descriptor", 'w', kDescriptor) \
  HEDDLE_OP(fd_close, "close descriptor", 'w', kDescriptor) \
  HEDDLE_OP(fd_poll, "poll descriptors", 'r', kDescriptor | kOnSeveral, \
            .named = "poll descriptor %", \
            .waiting = "waits for descriptor % to be ready", \
            .waiting_unnamed = "waits for one of several descriptors to be ready") \
  HEDDLE_OP(epoll_wait, "wait for events of descriptor", 'w', kDescriptor | kOnSeveral, \
            .waiting = "waits for events of descriptor %") \
  HEDDLE_OP(timer_set, "set timer", 'w', kOutside | kTouchesAll) \
  HEDDLE_OP(destroy, "destroy", 'w', 0) \
  HEDDLE_OP(abandon, "abandon mutex", 'w', kOfMutex) \
  HEDDLE_OP(cancel, "cancel thread", 'w', kOutside | kTouchesAll) \
  HEDDLE_OP(cancelled, "thread is cancelled", 'w', kOutside | kUnnamed) \
  HEDDLE_OP(test_cancel, "test for cancellation", 'r', kUnnamed) \
  HEDDLE_OP(free, "free memory", 'w', 0) \
  HEDDLE_OP(initialise, "initialise", 'w', 0) \
  HEDDLE_OP(remap, "change mapping", 'w', kOutside) \
  HEDDLE_OP(library_read, "read library state", 'r', kOutside) \
  HEDDLE_OP(library_change, "change library state", 'w', kOutside) \
  HEDDLE_OP(transfer, "transfer", '-', kWaits | kUnnamed | kEndsPiece, .waiting = "transfers to another thread") \
  HEDDLE_OP(label, "yield point", '-', kEndsPiece)

enum class Op : uint8_t {
#define HEDDLE_OP(id, ...) id,
  HEDDLE_OPERATIONS(HEDDLE_OP)
#undef HEDDLE_OP
};

inline constexpr uint8_t kOpCount = 0
#define HEDDLE_OP(...) +1
    HEDDLE_OPERATIONS(HEDDLE_OP)
#undef HEDDLE_OP
    ;

constexpr const char* op_name(Op op) {
  switch (op) {
#define HEDDLE_OP(id, text, ...) case Op::id: return text;
    HEDDLE_OPERATIONS(HEDDLE_OP)
#undef HEDDLE_OP
  }
  return "?";
}

constexpr OpWords words_of(Op op) {
  switch (op) {
#define HEDDLE_OP(id, text, effect, traits, ...) case Op::id: return OpWords{__VA_ARGS__};
    HEDDLE_OPERATIONS(HEDDLE_OP)
#undef HEDDLE_OP
  }
  return {};
}

// At namespace scope: a table of a function is made anew, on the stack, by each of its calls.
inline constexpr char kOpEffects[] = {
#define HEDDLE_OP(id, text, effect, ...) effect,
    HEDDLE_OPERATIONS(HEDDLE_OP)
#undef HEDDLE_OP
};
constexpr char op_effect(Op op) { return kOpEffects[static_cast<uint8_t>(op)]; }

// For all bytes: what comes from shared memory may be none of the kinds.
inline constexpr uint64_t kOpTraits[256] = {
#define HEDDLE_OP(id, text, effect, traits, ...) traits,
    HEDDLE_OPERATIONS(HEDDLE_OP)
#undef HEDDLE_OP
};
constexpr uint64_t op_traits(Op op) { return kOpTraits[static_cast<uint8_t>(op)]; }
constexpr bool has(Op op, OpTrait trait) { return (op_traits(op) & trait) != 0; }
// clang-format on

// The failure kinds of the design, section 5. `none` is no failure.
#define HEDDLE_FAILURES(HEDDLE_FAILURE)            \
  HEDDLE_FAILURE(none, "none")                     \
  HEDDLE_FAILURE(assertion, "assertion")           \
  HEDDLE_FAILURE(crash, "crash")                   \
  HEDDLE_FAILURE(exception, "exception")           \
  HEDDLE_FAILURE(exit, "exit")                     \
  HEDDLE_FAILURE(deadlock, "deadlock")             \
  HEDDLE_FAILURE(livelock, "livelock")             \
  HEDDLE_FAILURE(good_samaritan, "good-samaritan") \
  HEDDLE_FAILURE(data_race, "data-race")           \
  HEDDLE_FAILURE(use_after_free, "use-after-free") \
  HEDDLE_FAILURE(double_free, "double-free")       \
  HEDDLE_FAILURE(out_of_bounds, "out-of-bounds")   \
  HEDDLE_FAILURE(leak, "leak")                     \
  HEDDLE_FAILURE(misuse, "misuse")                 \
  HEDDLE_FAILURE(hang, "hang")                     \
  HEDDLE_FAILURE(unmet, "unmet")

enum class Failure : uint8_t {
#define HEDDLE_FAILURE(id, text) id,
  HEDDLE_FAILURES(HEDDLE_FAILURE)
#undef HEDDLE_FAILURE
};

constexpr const char* failure_name(Failure failure) {
  switch (failure) {
#define HEDDLE_FAILURE(id, text) \
  case Failure::id:              \
    return text;
    HEDDLE_FAILURES(HEDDLE_FAILURE)
#undef HEDDLE_FAILURE
  }
  return "?";
}

// What a descriptor between threads leads to.
#define HEDDLE_DESCRIPTORS(HEDDLE_DESCRIPTOR) \
  HEDDLE_DESCRIPTOR(pipe)                     \
  HEDDLE_DESCRIPTOR(eventfd)                  \
  HEDDLE_DESCRIPTOR(timer)                    \
  HEDDLE_DESCRIPTOR(socket)                   \
  HEDDLE_DESCRIPTOR(epoll)

enum class Descriptor : uint8_t {
#define HEDDLE_DESCRIPTOR(id) id,
  HEDDLE_DESCRIPTORS(HEDDLE_DESCRIPTOR)
#undef HEDDLE_DESCRIPTOR
};

constexpr const char* descriptor_name(Descriptor descriptor) {
  switch (descriptor) {
#define HEDDLE_DESCRIPTOR(id) \
  case Descriptor::id:        \
    return #id;
    HEDDLE_DESCRIPTORS(HEDDLE_DESCRIPTOR)
#undef HEDDLE_DESCRIPTOR
  }
  return "?";
}

// How an execution ended.
enum class Ending : uint8_t {
  running,      // it has not ended; in a death record: the worker died in the middle of it
  finished,     // the program ended, with status 0
  failed,       // with a failure
  pruned,       // heddle::assume(false)
  cut,          // it reached Config::max_steps
  diverged,     // it did not follow the prefix that its job expected: the test is not repeatable
  unsupported,  // it used something that cannot be controlled; the message names it
  redundant,    // cut short: whatever comes is equivalent to another execution
  infeasible,   // it cannot go as its script says (heddle/scenario.h)
};

enum class Isolation : uint8_t { snapshot, fork, none };
enum class Accesses : uint8_t { sync, all };
enum class Races : uint8_t { ignore, fail, explore };
enum class GoodSamaritan : uint8_t { off, warn, error };

// What the program has used that is the same in equivalent executions, and need not be natively:
// bits of Region::unvaried.
#define HEDDLE_UNVARIED(HEDDLE_KIND)       \
  HEDDLE_KIND(clocks, "clock readings", 1) \
  HEDDLE_KIND(random, "random numbers", 2)

enum class Unvaried : uint32_t {
#define HEDDLE_KIND(id, text, bit) id = bit,
  HEDDLE_UNVARIED(HEDDLE_KIND)
#undef HEDDLE_KIND
};
// … and one that means something else: memory that threads use has two addresses, and what is done
// by the one is not known to concern who uses the other (runtime/isolate/aliases.h).
inline constexpr uint32_t kAliases = uint32_t{1} << 31;

// What a witness of a failure did: see Witness.
#define HEDDLE_ROLES(HEDDLE_ROLE)           \
  HEDDLE_ROLE(none, "")                     \
  HEDDLE_ROLE(read, "read")                 \
  HEDDLE_ROLE(write, "write")               \
  HEDDLE_ROLE(atomic_read, "atomic read")   \
  HEDDLE_ROLE(atomic_write, "atomic write") \
  HEDDLE_ROLE(freed, "freed")               \
  HEDDLE_ROLE(freed_again, "freed again")   \
  HEDDLE_ROLE(allocated, "allocated")       \
  HEDDLE_ROLE(used, "use")

enum class Role : uint8_t {
#define HEDDLE_ROLE(id, text) id,
  HEDDLE_ROLES(HEDDLE_ROLE)
#undef HEDDLE_ROLE
};

constexpr const char* role_name(Role role) {
  switch (role) {
#define HEDDLE_ROLE(id, text) \
  case Role::id:              \
    return text;
    HEDDLE_ROLES(HEDDLE_ROLE)
#undef HEDDLE_ROLE
  }
  return "";
}

}  // namespace heddle::wire

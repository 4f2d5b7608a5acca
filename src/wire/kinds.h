// The vocabulary that runtime, engine and reports share: kinds of operations, failures and endings.
//
// Each list is one macro, so that numbers, names and properties cannot drift apart. Numbers are
// part of the wire (see layout.h, kVersion); names are part of the contract with scripts (JSON,
// schedule files).
#pragma once

#include <cstdint>

namespace heddle::wire {

// HEDDLE_OP(identifier, text shown to people, effect on the object)
//   effect: 'r' reads it (commutes with other reads), 'w' changes it, '-' has no object others can
//   notice.
#define HEDDLE_OPERATIONS(HEDDLE_OP)                          \
  HEDDLE_OP(begin, "thread begins", '-')                      \
  HEDDLE_OP(end, "thread ends", 'w')                          \
  HEDDLE_OP(create, "create thread", 'w')                     \
  HEDDLE_OP(join, "join thread", 'w')                         \
  HEDDLE_OP(detach, "detach thread", 'w')                     \
  HEDDLE_OP(exit, "exit", 'w')                                \
  HEDDLE_OP(lock, "lock mutex", 'w')                          \
  HEDDLE_OP(trylock, "try to lock mutex", 'w')                \
  HEDDLE_OP(timedlock, "lock mutex with timeout", 'w')        \
  HEDDLE_OP(unlock, "unlock mutex", 'w')                      \
  HEDDLE_OP(cond_wait, "wait on condition", 'w')              \
  HEDDLE_OP(cond_sleep, "time out on condition", 'w')         \
  HEDDLE_OP(cond_relock, "re-lock mutex after wait", 'w')     \
  HEDDLE_OP(cond_signal, "signal condition", 'w')             \
  HEDDLE_OP(cond_broadcast, "broadcast condition", 'w')       \
  HEDDLE_OP(once, "call once", 'w')                           \
  HEDDLE_OP(once_done, "finish call once", 'w')               \
  HEDDLE_OP(guard, "enter static initialisation", 'w')        \
  HEDDLE_OP(guard_done, "finish static initialisation", 'w')  \
  HEDDLE_OP(atomic_load, "atomic load", 'r')                  \
  HEDDLE_OP(atomic_store, "atomic store", 'w')                \
  HEDDLE_OP(atomic_rmw, "atomic update", 'w')                 \
  HEDDLE_OP(atomic_cas, "compare-exchange", 'w')              \
  HEDDLE_OP(fence, "fence", '-')                              \
  HEDDLE_OP(read, "read", 'r')                                \
  HEDDLE_OP(write, "write", 'w')                              \
  HEDDLE_OP(volatile_read, "volatile read", 'r')              \
  HEDDLE_OP(volatile_write, "volatile write", 'w')            \
  HEDDLE_OP(yield, "yield", '-')                              \
  HEDDLE_OP(sleep, "sleep", '-')                              \
  HEDDLE_OP(choose, "choose", '-')                            \
  HEDDLE_OP(rdlock, "lock for reading", 'w')                  \
  HEDDLE_OP(wrlock, "lock for writing", 'w')                  \
  HEDDLE_OP(rwunlock, "unlock reader-writer lock", 'w')       \
  HEDDLE_OP(sem_wait, "wait on semaphore", 'w')               \
  HEDDLE_OP(sem_post, "post semaphore", 'w')                  \
  HEDDLE_OP(sem_value, "read semaphore", 'r')                 \
  HEDDLE_OP(sem_open, "open named semaphore", 'w')            \
  HEDDLE_OP(sem_unlink, "unlink named semaphore", 'w')        \
  HEDDLE_OP(barrier_arrive, "arrive at barrier", 'w')         \
  HEDDLE_OP(barrier_pass, "pass barrier", 'w')                \
  HEDDLE_OP(futex_wait, "wait on futex", 'w')                 \
  HEDDLE_OP(futex_sleep, "wake from futex", 'w')              \
  HEDDLE_OP(futex_wake, "wake futex", 'w')                    \
  HEDDLE_OP(fd_read, "read descriptor", 'w')                  \
  HEDDLE_OP(fd_write, "write descriptor", 'w')                \
  HEDDLE_OP(fd_accept, "accept on descriptor", 'w')           \
  HEDDLE_OP(fd_connect, "connect descriptor", 'w')            \
  HEDDLE_OP(fd_change, "change descriptor", 'w')              \
  HEDDLE_OP(fd_close, "close descriptor", 'w')                \
  HEDDLE_OP(fd_poll, "poll descriptors", 'r')                 \
  HEDDLE_OP(epoll_wait, "wait for events of descriptor", 'w') \
  HEDDLE_OP(timer_set, "set timer", 'w')                      \
  HEDDLE_OP(destroy, "destroy", 'w')                          \
  HEDDLE_OP(abandon, "abandon mutex", 'w')                    \
  HEDDLE_OP(cancel, "cancel thread", 'w')                     \
  HEDDLE_OP(cancelled, "thread is cancelled", 'w')            \
  HEDDLE_OP(test_cancel, "test for cancellation", 'r')        \
  HEDDLE_OP(free, "free memory", 'w')                         \
  HEDDLE_OP(initialise, "initialise", 'w')                    \
  HEDDLE_OP(remap, "change mapping", 'w')                     \
  HEDDLE_OP(library_read, "read library state", 'r')          \
  HEDDLE_OP(library_change, "change library state", 'w')

enum class Op : uint8_t {
#define HEDDLE_OP(id, text, effect) id,
  HEDDLE_OPERATIONS(HEDDLE_OP)
#undef HEDDLE_OP
};

constexpr const char* op_name(Op op) {
  switch (op) {
#define HEDDLE_OP(id, text, effect) \
  case Op::id:                      \
    return text;
    HEDDLE_OPERATIONS(HEDDLE_OP)
#undef HEDDLE_OP
  }
  return "?";
}

// At namespace scope: a table of a function is made anew, on the stack, by each of its calls.
inline constexpr char kOpEffects[] = {
#define HEDDLE_OP(id, text, effect) effect,
    HEDDLE_OPERATIONS(HEDDLE_OP)
#undef HEDDLE_OP
};
constexpr char op_effect(Op op) { return kOpEffects[static_cast<uint8_t>(op)]; }

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

// Small concurrent programs as text, and as the instructions that the interpreter runs.
//
//   create 1; ld 0 4; if 0 { st 4 2 7 }; join 1 | add 0 4 1; cas 0 8 0 5
//
// Bodies of threads are separated by `|`, operations by `;`. Body 0 is main. `create N` starts a
// thread with body N; a body may be started again when its thread was joined. An operation with a
// value notes it as a result of its thread, and it is the *last value*, to which `if`, `assert` and
// their kin refer. `@all` in front: plain accesses are operations (`--accesses all`).
//
// Parsed before control begins. What an execution reads of a program is plain arrays, and read by
// code that is not instrumented.
#pragma once

#include <cstdint>
#include <string>

namespace fuzz {

// FUZZ_OP(identifier, number of arguments, v: it has a value, b: it has a body in braces, -:
// neither)
#define FUZZ_OPERATIONS(FUZZ_OP)                                                                \
  /* Threads. */                                                                                \
  FUZZ_OP(create, 1, '-')                                                                       \
  FUZZ_OP(join, 1, '-')                                                                         \
  FUZZ_OP(detach, 1, '-')                                                                       \
  FUZZ_OP(cancel, 1, '-')                                                                       \
  FUZZ_OP(testcancel, 0, '-')                                                                   \
  FUZZ_OP(canceloff, 0, '-')                                                                    \
  FUZZ_OP(cancelon, 0, '-')                                                                     \
  FUZZ_OP(leave, 0, '-')                                                                        \
  FUZZ_OP(yield, 0, '-')                                                                        \
  /* Bytes of the buffer: offset, size, value. Atomic, volatile, plain. Updates and             \
     compare-exchanges (offset, size, expected, desired) have the old value. */                 \
  FUZZ_OP(ld, 2, 'v')                                                                           \
  FUZZ_OP(st, 3, '-')                                                                           \
  FUZZ_OP(add, 3, 'v')                                                                          \
  FUZZ_OP(orr, 3, 'v')                                                                          \
  FUZZ_OP(xchg, 3, 'v')                                                                         \
  FUZZ_OP(cas, 4, 'v')                                                                          \
  FUZZ_OP(vld, 2, 'v')                                                                          \
  FUZZ_OP(vst, 3, '-')                                                                          \
  FUZZ_OP(pld, 2, 'v')                                                                          \
  FUZZ_OP(pst, 3, '-')                                                                          \
  FUZZ_OP(memset, 3, '-') /* offset, bytes, value */                                            \
  FUZZ_OP(memcpy, 3, '-') /* to, from, bytes */                                                 \
  FUZZ_OP(copy, 2, '-')   /* a structure of 12 bytes: to, from */                               \
  FUZZ_OP(retry, 4, 'v')  /* a loop around a compare-exchange: offset, size, how, number */     \
  /* Objects by number; time-outs in microseconds. Tries: 1, it was got. */                     \
  FUZZ_OP(lock, 1, '-')                                                                         \
  FUZZ_OP(unlock, 1, '-')                                                                       \
  FUZZ_OP(trylock, 1, 'v')                                                                      \
  FUZZ_OP(timedlock, 2, 'v')                                                                    \
  FUZZ_OP(rdlock, 1, '-')                                                                       \
  FUZZ_OP(wrlock, 1, '-')                                                                       \
  FUZZ_OP(tryrd, 1, 'v')                                                                        \
  FUZZ_OP(trywr, 1, 'v')                                                                        \
  FUZZ_OP(rwunlock, 1, '-')                                                                     \
  FUZZ_OP(wait, 2, '-') /* condition, mutex */                                                  \
  FUZZ_OP(timedwait, 3, 'v')                                                                    \
  FUZZ_OP(signal, 1, '-')                                                                       \
  FUZZ_OP(broadcast, 1, '-')                                                                    \
  FUZZ_OP(semwait, 1, '-')                                                                      \
  FUZZ_OP(sempost, 1, '-')                                                                      \
  FUZZ_OP(semtry, 1, 'v')                                                                       \
  FUZZ_OP(semtimed, 2, 'v')                                                                     \
  FUZZ_OP(semvalue, 1, 'v')                                                                     \
  FUZZ_OP(spin, 1, '-')                                                                         \
  FUZZ_OP(unspin, 1, '-')                                                                       \
  FUZZ_OP(once, 1, 'b')                                                                         \
  FUZZ_OP(latch, 2, '-') /* makes it, for so many; so do barrier, pbarrier, csem */             \
  FUZZ_OP(countdown, 1, '-')                                                                    \
  FUZZ_OP(latchwait, 1, '-')                                                                    \
  FUZZ_OP(latchtry, 1, 'v')                                                                     \
  FUZZ_OP(barrier, 2, '-')                                                                      \
  FUZZ_OP(arrive, 1, '-') /* and wait */                                                        \
  FUZZ_OP(arrivedrop, 1, '-')                                                                   \
  FUZZ_OP(pbarrier, 2, '-')                                                                     \
  FUZZ_OP(pbarrierwait, 1, 'v')                                                                 \
  FUZZ_OP(csem, 2, '-')                                                                         \
  FUZZ_OP(acquire, 1, '-')                                                                      \
  FUZZ_OP(release, 1, '-')                                                                      \
  FUZZ_OP(tryacquire, 1, 'v')                                                                   \
  FUZZ_OP(acquirefor, 2, 'v')                                                                   \
  FUZZ_OP(tlock, 1, '-') /* std::timed_mutex */                                                 \
  FUZZ_OP(tunlock, 1, '-')                                                                      \
  FUZZ_OP(tlockfor, 2, 'v')                                                                     \
  FUZZ_OP(slock, 1, '-') /* std::shared_mutex */                                                \
  FUZZ_OP(sunlock, 1, '-')                                                                      \
  FUZZ_OP(sshared, 1, '-')                                                                      \
  FUZZ_OP(sunshared, 1, '-')                                                                    \
  FUZZ_OP(strylock, 1, 'v')                                                                     \
  /* The heap. Each thread has one pointer; slots hand it over. Without a pointer, o-operations \
     do nothing, and have the value 9. Value of get and take: 1, it is not null. */             \
  FUZZ_OP(make, 0, '-')                                                                         \
  FUZZ_OP(get, 1, 'v')                                                                          \
  FUZZ_OP(take, 1, 'v')                                                                         \
  FUZZ_OP(put, 1, '-')                                                                          \
  FUZZ_OP(free, 0, '-')                                                                         \
  FUZZ_OP(realloc, 1, '-') /* by so many bytes more */                                          \
  FUZZ_OP(old, 0, 'v')                                                                          \
  FUZZ_OP(ost, 1, '-')                                                                          \
  FUZZ_OP(oadd, 1, 'v')                                                                         \
  FUZZ_OP(opld, 0, 'v')                                                                         \
  FUZZ_OP(opst, 1, '-')                                                                         \
  FUZZ_OP(olock, 0, '-')                                                                        \
  FUZZ_OP(ounlock, 0, '-')                                                                      \
  FUZZ_OP(otrylock, 0, 'v')                                                                     \
  FUZZ_OP(odestroy, 0, '-')                                                                     \
  FUZZ_OP(osemwait, 0, '-')                                                                     \
  FUZZ_OP(osempost, 0, '-')                                                                     \
  FUZZ_OP(osemtry, 0, 'v')                                                                      \
  FUZZ_OP(ordlock, 0, '-')                                                                      \
  FUZZ_OP(owrlock, 0, '-')                                                                      \
  FUZZ_OP(orwunlock, 0, '-')                                                                    \
  FUZZ_OP(osignal, 0, '-')                                                                      \
  FUZZ_OP(owait, 0, '-') /* with its mutex */                                                   \
  FUZZ_OP(oonce, 0, 'b')                                                                        \
  FUZZ_OP(ospin, 0, '-')                                                                        \
  FUZZ_OP(ounspin, 0, '-')                                                                      \
  /* Time, in microseconds. */                                                                  \
  FUZZ_OP(mark, 0, '-')                                                                         \
  FUZZ_OP(since, 1, 'v') /* 1: less than so much has passed since the mark */                   \
  FUZZ_OP(smark, 0, '-') /* the same with std::chrono::steady_clock */                          \
  FUZZ_OP(ssince, 1, 'v')                                                                       \
  FUZZ_OP(sleep, 1, '-')                                                                        \
  /* Descriptors, files, the library's own state. */                                            \
  FUZZ_OP(pipe, 1, '-')                                                                         \
  FUZZ_OP(write, 2, '-') /* pipe, byte */                                                       \
  FUZZ_OP(read, 1, 'v')                                                                         \
  FUZZ_OP(poll, 1, 'v')                                                                         \
  FUZZ_OP(hangup, 1, '-') /* closes the end of the writer */                                    \
  FUZZ_OP(open, 0, 'v')   /* the number of the descriptor */                                    \
  FUZZ_OP(close, 0, '-')  /* the last one that this thread has opened */                        \
  FUZZ_OP(file, 0, '-')                                                                         \
  FUZZ_OP(fput, 2, '-') /* offset, byte */                                                      \
  FUZZ_OP(fget, 1, 'v')                                                                         \
  FUZZ_OP(setenv, 2, '-')                                                                       \
  FUZZ_OP(getenv, 1, 'v')                                                                       \
  FUZZ_OP(rand, 0, 'v')                                                                         \
  /* The search; the end. */                                                                    \
  FUZZ_OP(choose, 1, 'v')                                                                       \
  FUZZ_OP(assume, 1, '-') /* the last value is so much */                                       \
  FUZZ_OP(assumenot, 1, '-')                                                                    \
  FUZZ_OP(assert, 1, '-')                                                                       \
  FUZZ_OP(assertnot, 1, '-')                                                                    \
  FUZZ_OP(exit, 0, '-')                                                                         \
  /* Control. */                                                                                \
  FUZZ_OP(if, 1, 'b')                                                                           \
  FUZZ_OP(ifnot, 1, 'b')                                                                        \
  FUZZ_OP(repeat, 1, 'b')

enum class Op : uint8_t {
#define FUZZ_OP(id, arguments, shape) k_##id,
  FUZZ_OPERATIONS(FUZZ_OP)
#undef FUZZ_OP
};

struct OpKind {
  const char* name;
  int arguments;
  char shape;
};

inline constexpr OpKind kOpKinds[] = {
#define FUZZ_OP(id, arguments, shape) {#id, arguments, shape},
    FUZZ_OPERATIONS(FUZZ_OP)
#undef FUZZ_OP
};

constexpr int kBodies = 6, kInstructions = 48, kArguments = 4;
constexpr int kBuffer = 64;          // bytes
constexpr int kObjects = 3;          // of each kind
constexpr int kSlots = 4;            // for pointers
constexpr int kMostDescriptors = 4;  // that a thread opens

struct Instruction {
  Op op;
  int end;  // of its body: the index of the instruction behind it; else of the next one
  int64_t arguments[kArguments];
};

struct Program {
  bool all_accesses;
  int bodies;
  int lengths[kBodies];
  Instruction instructions[kBodies][kInstructions];
};

// Throws std::runtime_error, with the reason.
Program parse(const std::string& text);

}  // namespace fuzz

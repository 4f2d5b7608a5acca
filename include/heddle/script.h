/* How a test script (heddle/scenario.h) talks to the scheduler. Plain C; not for use by itself. */
#ifndef HEDDLE_SCRIPT_H
#define HEDDLE_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a thread is to come to. */
enum heddle_until_kind {
  heddle_until_any,  /* whichever yield point, chosen by the search */
  heddle_until_next, /* the next yield point */
  heddle_until_end,
  heddle_until_blocked,
  heddle_until_label, /* HEDDLE_YIELD(text) */
  heddle_until_reads, /* an access to `bytes` bytes from `object` on */
  heddle_until_writes,
  heddle_until_accesses,
  heddle_until_locks, /* an operation on what lies there */
  heddle_until_unlocks,
  heddle_until_waits,
  heddle_until_enters, /* the function `text` */
  heddle_until_returns_from,
  heddle_until_at,   /* a place, "queue.h:41" */
  heddle_until_test, /* a yield point at which test(object) is not 0 */
  heddle_until_both, /* of the two before it */
  heddle_until_either
};

/* An entry of a condition, which is written in postfix order. */
struct heddle_until {
  uint32_t kind; /* heddle_until_kind */
  uint32_t unused;
  const void* object;
  uint64_t bytes;
  const char* text;
  int (*test)(const void* object);
};

struct heddle_transfer {
  const unsigned* threads; /* one of these goes, of the search's choice … */
  unsigned thread_count;
  unsigned any; /* 1: … or one of all there are */
  const unsigned* except;
  unsigned except_count;
  const struct heddle_until* until;
  unsigned until_count;
  unsigned count; /* at its so manieth visit */
};

/* The calling thread runs a script from now on, and nobody goes unless it is transferred to. */
void heddle_script_begin(void);
/* … no longer: all threads have to have ended. */
void heddle_script_end(void);
/* The thread that was created last has this name. Returns its number. */
unsigned heddle_script_thread(const char* name);
/* The next thread that the code under test has created by itself. */
unsigned heddle_script_next_thread(void);
/* Returns the number of the thread that went. */
unsigned heddle_script_transfer(const struct heddle_transfer* transfer);
/* The threads that it names go, in all interleavings, until they have ended; no more of it counts.
 */
void heddle_script_interleave(const struct heddle_transfer* scope);
int heddle_script_ended(unsigned thread);
int heddle_script_blocked(unsigned thread);
/* All that the code under test and the script have created, but for these. */
int heddle_script_all_ended(const unsigned* except, unsigned except_count);
void heddle_script_only_labels(int on);
/* The script is wrong: the execution fails. */
void heddle_script_misuse(const char* message);

/* A yield point in the code under test: HEDDLE_YIELD in heddle/yield.h. */
void heddle_yield_point(const char* label);

#ifdef __cplusplus
}
#endif

#endif

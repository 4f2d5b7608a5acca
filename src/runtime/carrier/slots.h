// Slots: real pthreads, created once and parked for good, whose stacks and thread-local storage
// serve the threads of the program under test. One OS thread, the carrier, runs them all in turn
// (design, section 1).
//
// The stacks are ours, at fixed addresses, so that the addresses of a program's locals repeat from
// process to process. glibc puts a thread's descriptor and its thread-local storage at the top of
// the stack it is given; so they repeat too, and a pthread_t tells its slot by division.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/thread.h"

namespace heddle::runtime {

inline constexpr uint64_t kStackBase = 0x080000000000;
inline constexpr uint64_t kStackStride = uint64_t{16} << 20;
inline constexpr uint64_t kStackSize = uint64_t{8} << 20;  // what a thread gets by default on Linux

// What is cleared of a stack before a thread of the program begins: see runtime/filter/spin.h.
inline constexpr uint64_t kClearedStack = 4096;

struct ThreadExit;  // a destructor registered by the program, intercept/thread_exit.cc

struct Slot {
  uint32_t number;
  bool main;
  int tid;             // of the parked pthread
  uint64_t fs;         // its thread-local storage, at the end of which is its thread control block
  uint64_t guards[2];  // of stack and pointers, as they stand there
  uint64_t entry;      // stack pointer from which a thread of the program may start
  uint64_t low;        // its stack
  uint64_t high;
  Thread* thread;  // that uses it, or used it last in this execution; null: none yet
  void* (*function)(void*);
  void* argument;
  ThreadExit* exits;  // innermost first
  void* cleanup;      // innermost C clean-up handler
  Slot* next_free;
  // Of the parked thread, where it is to run itself: hand_over.h.
  uint32_t
      turn;  // 1: it has it; not an atomic, which would be initialised when the program is loaded
  void* loop_sp;
  Slot* successor;  // who has the turn when its thread of the program has ended
};

// The slot of the thread that calls: main's. Once for each process that runs executions.
void slots_begin();
// All slots but main's are free again.
void slots_reset();
// A slot with its thread-local storage set back; null if no more can be had.
Slot* take_slot();
void free_slot(Slot* slot);
Slot* main_slot();
// The slot of a pthread_t; null if it is none of ours.
Slot* slot_of(pthread_t thread);

// Whether what never changes in the thread control block is as it was: the program may have written
// over it, behind its thread-local variables. libc, ours and the kernel's own cannot do without.
bool is_intact(const Slot& slot);
// … in all that this execution has used.
bool slots_are_intact();

// In the guard page below a stack: the stack is exhausted.
bool is_stack_guard(uint64_t address);

// Where in the stack of which thread an address is: so many bytes below its top. Neighbours are so
// here, too.
bool stack_offset(uint64_t address, uint32_t* owner, uint64_t* offset);

// Whether the address is in a stack that threads of this execution use, or in their thread-local
// variables.
bool is_of_slot(uint64_t address);

// Prepares the thread to start at `entry` on its slot when it is first switched to.
void prepare_thread(Thread* thread, void (*entry)());

// The running thread `from` stops here, `to` goes on. Returns when `from` is switched to again.
void switch_thread(Thread* from, Thread* to);

// Calls `body` on the calling thread's stack, as the main thread of an execution; returns when
// leave_run() is called on whatever thread.
void enter_run(void (*body)());
[[noreturn]] void leave_run();

// From here on, until the process ends, libc finds main's thread-local storage: the running thread
// may have written over its own.
void use_storage_of_main();

}  // namespace heddle::runtime

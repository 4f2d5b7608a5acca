// What a debugger sees of an execution: `heddle replay --gdb`. The schedule is then run once, in
// the process that the debugger has started, with an OS thread for each thread of the program
// (carrier/hand_over.h).
//
// heddle_debugger and the functions in debugger.cc are what share/heddle/heddle_gdb.py reads,
// writes and breaks at, by their names in the dynamic symbol table: it needs no debug information
// of ours. A change to them is a change to that file.
#pragma once

#include <cstdint>

#include "runtime/thread.h"

namespace heddle::runtime {

inline constexpr uint32_t kDebuggerLayout = 1;

enum class DebuggerState : uint32_t {
  before,   // main has not begun
  running,  // in step `step`: its thread performs the operation, or runs on to its next one
  at_step,  // heddle_debugger_stop is called: step `step` is about to be performed
  ended,    // heddle_debugger_end is called: `outcome` says how; nothing follows
};

struct Debugger {
  uint32_t layout;
  DebuggerState state;
  uint32_t step;
  uint32_t stop_at;  // the debugger's: heddle_debugger_stop is called at this step and later ones
  uint32_t thread;   // that makes the step
  uint32_t thread_count;  // created so far
  uint32_t failed;        // 1: the execution has, of a failure of the kind `outcome`
  uint32_t unused;
  const int32_t* tids;  // by number of the thread; negative: it has ended
  const char* outcome;  // of an execution that has ended, in a word
};

// This process is run by a debugger. Decided at the start.
extern bool g_debugged;

void debugger_begin();
void debugger_thread_created(const Thread* thread, int tid);
void debugger_thread_ended(const Thread* thread);
// The running thread is about to perform the last step that was recorded.
void debugger_step();
// The execution is over; its threads still stand where they are.
void debugger_end(wire::Ending ending, wire::Failure failure);

}  // namespace heddle::runtime

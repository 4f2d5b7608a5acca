// A test script (include/heddle/scenario.h), after CONCURRIT (Burnim, Elmas, Necula, Sen; HotPar
// 2011), as a filter on the threads that may go next. The script runs in a thread of the execution.
// Between its transfers it runs alone; in a transfer one other thread does, which the search
// chooses among those that the transfer names, until it has come to a point that the transfer
// describes.
//
// Where the point is open (until(any), until a test holds) each yield point that fits is a choice:
// the script goes on, which is option 0, or the thread does. If the script then makes the very same
// transfer again, and that may take up the thread, the two come to the same, and there is no
// choice: so a loop over `transfer(any).until(any)` runs through all interleavings, each once. (A
// departure from concurrit, section 3.2.1, where the thread may run on to any point in a loop, too:
// that would count each interleaving many times, once for each way to cut it into pieces.)
//
// A thread that cannot come to its point makes the execution infeasible, as soon as that is known:
// it is blocked, or has ended, or spins, and nobody else may go. (The paper waits for a time, in
// section 3.2.)
#pragma once

#include "heddle/script.h"
#include "runtime/filter/hold_back.h"
#include "runtime/thread.h"

namespace heddle::runtime {

extern bool g_scripted;  // a script runs
void scenario_begin_run();
void scenario_begin();  // the running thread runs a script
void scenario_end();

// The running thread is the script, and lets the threads go that the scope names, until they have
// ended: as a loop over `transfer(any).until(any)` does, but it is not asked in between. settle()
// is next, which returns then.
void scenario_interleave(const heddle_transfer& scope, uint64_t pc);

// The running thread is the script, and transfers; settle() is next, which returns when the thread
// has come to its point. `site` stands for the calls that have led there: two transfers with the
// same are the same statement, made again.
void scenario_transfer(const heddle_transfer& transfer, uint64_t pc, uint64_t site);
// … and has: the thread that went.
Thread* scenario_last();

uint32_t scenario_transfers();  // made so far
uint64_t scenario_place();      // of the last; 0: there was none

// See filters.h.
void scenario_arrive();
void scenario_go(Thread* chosen);
// No thread can go. Returns if that is a deadlock like any other; else the execution ends here.
void scenario_is_stuck();
// The running thread has called exit(): it ends here, since the script has not.
[[noreturn]] void scenario_exits();
bool scenario_lets_go(const Thread* thread);
// It is the script that says who may be the next, or whether this one may: by more than which
// threads take part in an interleaving.
bool scenario_decides(const Thread* chosen);
uint16_t scenario_flags(const Thread* chosen);  // wire::StepFlags of such a step
// The thread that goes has yielded so often that it is taken to wait for others.
bool scenario_waits_by_yields();
// The thread that is the first to be asked, in place of the running one; null: that one.
Thread* scenario_front();
bool scenario_has_chosen(const Thread* thread);  // it is the one that goes

}  // namespace heddle::runtime

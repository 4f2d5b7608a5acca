// Along a route: the greedy depth-first search of "A Meta Heuristic for Effectively Detecting
// Concurrency Errors" (Rungta and Mercer), figures 2 to 4. One descent is one execution.
//
// Of those that can go, whoever is about to do something at the next place of the route goes first;
// then whoever is nearer to it, as the job's Toward says; chance decides among equals. A successor
// is ranked by the operation that its thread is about to perform, and by the thread's call stack:
// the paper (figure 4, line 6) ranks the state behind it, which a search without states does not
// have. A place that stands twice in a row is to be passed by two threads.
//
// The hints of a job: its Toward, the threads that are preferred, its wire::RouteSequence; how long
// that is is the job's parameter. With kNoteRanks, behind the decisions of the job, at each choice
// point, the rank of every option is noted, so that the search can come back to those that were not
// taken (figure 5). The first note says how many places were passed.
#pragma once

#include "runtime/decide/decider.h"

namespace heddle::runtime {

extern const Decider kGuideDecider;

extern bool g_has_route;          // the program has places of a route
extern bool g_route_tells_calls;  // … where functions may be called
void route_begin();               // reads the region

// Where a function that returns to `return_address` calls its hook from `pc`: the place of the
// route that this is at, which makes the call an operation; and where that is, in the function or
// in who calls it.
struct RouteCall {
  uint32_t place;  // kMaxRoute: none
  uint64_t pc;
};
RouteCall route_call(uint64_t pc, uint64_t return_address);

// Asked of detect/calls.h: the functions that the thread is in, as return addresses, outermost
// first; how many.
uint32_t calls_of(const Thread* thread, const uint64_t** out);

}  // namespace heddle::runtime

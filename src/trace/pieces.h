// Whether an execution is as good as a cooperative one.
//
// What a thread does from one of its yield points to the next is a piece. A yield point is an
// operation with wire::kEndsPiece: HEDDLE_YIELD, a wait for others, std::this_thread::yield; it is
// a piece by itself. The execution is serialisable if it is equivalent to one in which the pieces
// come one after the other, each of them whole: if the graph of the pieces, with an edge wherever a
// step of one happens before a dependent step of another, has no cycle (Yi and Flanagan's
// cooperability; the graph is that of Velodrome, Flanagan, Freund and Yi, PLDI 2008). Equivalent
// executions have the same graph, so that one of each class is enough.
//
// In a deadlock threads are left in the middle of their pieces. What they wait for counts as if it
// came last: if it makes a cycle, there is no such deadlock where each piece is whole.
//
// Plain accesses that do not race need not be steps: what orders them makes the same paths.
#pragma once

#include <cstdint>
#include <vector>

#include "causality/races.h"

namespace heddle::trace {

// Others came between two steps of a piece, in a way that has no equivalent in which they do not.
struct Interference {
  uint32_t before;  // step of the piece, …
  uint32_t entry;   // … after which another thread's step came that depends on it;
  uint32_t exit;    // and a step of another thread …
  uint32_t after;   // … came before this one of the piece, which depends on it
};

// `races` has looked at the whole execution, which has no pieces that are not serialisable if
// nothing is found. Each interference is taken as if there were a yield point before its `after`,
// so that the next one is about something else. `deadlock`: it ended in one; its steps may then be
// events of `races` that are pending.
std::vector<Interference> find_interference(const causality::Races& races, bool deadlock);

}  // namespace heddle::trace

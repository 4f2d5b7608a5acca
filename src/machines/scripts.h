// What Redis does as one step: the scripts of a search that machines share.
//
// Each is safe to be sent again when the answer was lost. A task is in the stream of tasks until
// somebody's results of it are in; who brings results of one that is not there any more has run it
// in vain, and nothing is counted twice. Tasks of a round are in streams of their own: results of
// an earlier one have nowhere to go.
//
// The fields of `info`: see shared_search.cc.
#pragma once

#include "machines/redis.h"

namespace heddle::machines {

// info tasks results state told reserved, and the same streams of the round before; epoch, round,
// state, stage, racing, executions of each task, and the tasks: begins a round. 0: there is another
// coordinator.
extern const Script kBeginRound;
// info reserved; epoch, executions that are left, -1: there is no budget. The search goes on with
// that, and what was reserved of a former budget is nobody's. 0: there is another coordinator.
extern const Script kGrant;
// info tasks workers reserved; worker, round, seconds until a worker is lost, name of the worker:
// {"task", id, subtrees, executions, tasks there are, workers, failures}, or a word for why not.
extern const Script kTake;
// info tasks results told reserved; id, round, executions, results, executions of each task that is
// left over, their number, these, keys of failures. 1: it counts; 0: it does not.
extern const Script kFinish;
// info tasks workers; worker, round, id, name of the worker: a word for how it stands with the
// task.
extern const Script kBeat;
// tasks; worker, id: whoever comes next may have it.
extern const Script kGiveBack;
// info results state; epoch, round, last result that is in the state, bytes of the results up to
// it, state. 0: there is another coordinator.
extern const Script kKeep;
// info tasks workers; seconds until a worker is lost: {tasks there are, tasks ever made, tasks that
// are done, {workers}}.
extern const Script kLook;

}  // namespace heddle::machines

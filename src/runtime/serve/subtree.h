// A subtree as a job (wire/subtree.h): the worker's side of causality/subtree_search.h. Where what
// is remembered does not agree with itself the process ends, and the engine runs the subtree
// execution by execution.
#pragma once

#include <span>

#include "wire/layout.h"

namespace heddle::runtime {

extern bool g_in_subtree;

// The words: what follows the job.
void subtree_begin(const wire::Job& job, const wire::Decision* words);

// The next execution. False: that was all that is to be run here.
bool subtree_next(wire::Job* next);
const wire::Decision* subtree_decisions();
uint64_t subtree_job();
// It has been run, and its steps are in the trace.
void subtree_executed(const wire::Result& result);

// The report, and the end of it; may be called in the middle of an execution.
std::span<const char> subtree_end();

}  // namespace heddle::runtime

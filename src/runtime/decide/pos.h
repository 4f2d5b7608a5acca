// Partial order sampling (Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling, 2018).
//
// Each operation that a thread has announced gets a priority, by chance; the highest that can go
// goes. Those of other threads that depend on it then get new ones: which of two dependent
// operations comes first is decided anew for each pair, while independent ones, whose order nobody
// can notice, waste no chance.
#pragma once

#include "runtime/decide/decider.h"

namespace heddle::runtime {

extern const Decider kPosDecider;

// For samplers that are made of it.
void pos_begin(const wire::Job& job);
void pos_thread_added(const Thread* thread);
uint64_t pos_priority(const Thread* thread);
uint32_t pos_take(const ChoicePoint& point, const Thread* thread);  // an option of the thread

}  // namespace heddle::runtime

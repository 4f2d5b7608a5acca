// The trace: each step, as it is made, with its part of the fingerprint.
#pragma once

#include "base/hash.h"
#include "runtime/memory/memory.h"
#include "runtime/record/fingerprint.h"
#include "runtime/record/focus.h"
#include "runtime/run.h"
#include "wire/seal.h"

namespace heddle::runtime {

// Whether a compare-exchange that is performed now fails, and so only reads. Of memory that may be
// gone it is not known.
inline bool only_reads(const Thread* thread, const ObjectRecord* object) {
  if (HEDDLE_LIKELY(thread->pending.op != wire::Op::atomic_cas)) return false;
  if (thread->outcome == kSpuriously) return true;
  return object->is_readable && !finds_expected(thread->pending);
}

// The object was initialised while there were other threads: detect/lifetime.h.
void check_making(const ObjectRecord* object, const Thread* user);

// The step of `thread` goes into the fingerprint, and the names of its objects into the trace,
// where the rest of it is already; then it is sealed.
inline void account(Thread* thread, wire::Step* step) {
  Run& run = g_run;
  const Pending& pending = thread->pending;
  uint64_t what = static_cast<uint64_t>(pending.op) | uint64_t{thread->outcome} << 8;
  char effect = wire::op_effect(pending.op);
  Moment moment{0, thread->now};
  if (effect == '-') {
    step->object = 0;
    step->size = 0;
    step->second = 0;
    moment = {mix(what, thread->last_hash), thread->now + kNanosecondsPerStep};
  } else {
    // Often it is the one that the last step was on.
    ObjectRecord* object = run.object;
    if (!is_of(object, pending.object, pending.bytes)) {
      run.object = object = find_object(pending.object, pending.bytes);
    }
    step->object = object->name;
    step->second = 0;
    set_bytes(step, pending.bytes);
    if (HEDDLE_UNLIKELY(object->maker != 0)) check_making(object, thread);
    if (object->user != thread->index + 1) {
      object->user = object->user == 0 ? thread->index + 1 : kManyUsers;
    }
    if (only_reads(thread, object)) {
      effect = 'r';
      step->flags |= wire::kOnlyReads;
    }
    what ^= object->name << 1;
    moment.hash = mix(what, thread->last_hash);
    moment = account_for(object, effect == 'w', moment);
    if (HEDDLE_UNLIKELY(pending.second != 0) && second_object(pending) != 0) {
      ObjectRecord* second = find_object(pending.second, pending.copies ? pending.bytes : 1);
      if (step->size != wire::kManyBytes) step->second = second->name;
      if (pending.copies) step->flags |= wire::kCopies;
      moment.hash = mix(what, moment.hash);
      moment = account_for(second, !pending.copies, moment);
    }
  }
  thread->last_hash = moment.hash;
  thread->now = moment.now;
  run.fingerprint += moment.hash;
  run.sequence = mix(run.sequence, moment.hash);
  wire::StepWords words;
  __builtin_memcpy(&words, step, sizeof words);
  run.seal += wire::seal_of(words);
}

// The step of `thread` goes into the trace.
inline void record(Thread* thread, uint32_t choice, uint32_t options, uint32_t free_options,
                   uint32_t own = 1) {
  Run& run = g_run;
  const Pending& pending = thread->pending;
  wire::Step& step = run.trace[run.step];
  step.thread = static_cast<uint16_t>(thread->index);
  step.op = pending.op;
  step.outcome = static_cast<uint8_t>(thread->outcome);
  step.choice = static_cast<uint16_t>(choice);
  step.options = static_cast<uint16_t>(options);
  step.free_options = static_cast<uint16_t>(free_options);
  step.outcomes = static_cast<uint16_t>(own);
  step.flags = static_cast<uint16_t>(focus_flags(thread) | thread->flags);
  thread->flags = 0;
  step.check = static_cast<uint32_t>(run.sequence);
  step.after = thread->after;
  thread->after = wire::kNoStep;
  step.pc = pending.pc;
  account(thread, &step);
  ++run.step;
  g_region->current_step.store(run.step, std::memory_order_relaxed);
}

}  // namespace heddle::runtime

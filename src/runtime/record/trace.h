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

// Whole words, as they are sealed.
inline void write_step(const wire::StepWords& words, wire::Step* step) {
  __builtin_memcpy(step, &words, sizeof words);
  g_run.seal += wire::seal_of(words);
}

// The step of `thread` goes into the fingerprint, and with the names of its objects into the trace.
inline void account(Thread* thread, uint64_t threads_word, uint64_t options_word) {
  using wire::StepWords;
  Run& run = g_run;
  const Pending& pending = thread->pending;
  StepWords step{threads_word, options_word, 0, 0, 0, pending.pc};
  step.check = static_cast<uint32_t>(run.sequence) | uint64_t{thread->after} << 32;
  thread->after = wire::kNoStep;
  uint64_t what = static_cast<uint64_t>(pending.op) | uint64_t{thread->outcome} << 8;
  char effect = wire::op_effect(pending.op);
  Moment moment{0, thread->now};
  if (effect == '-') {
    moment = {mix(what, thread->last_hash), thread->now + kNanosecondsPerStep};
  } else {
    // Often it is the one that the last step was on.
    ObjectRecord* object = run.object;
    if (!is_of(object, pending.object, pending.bytes)) {
      run.object = object = find_object(pending.object, pending.bytes);
    }
    step.object = object->name;
    uint64_t size = pending.bytes < wire::kManyBytes ? pending.bytes : wire::kManyBytes;
    step.thread |= size << 16;
    if (HEDDLE_UNLIKELY(size == wire::kManyBytes)) step.second = pending.bytes;
    if (HEDDLE_UNLIKELY(object->maker != 0)) check_making(object, thread);
    if (object->user != thread->index + 1) {
      object->user = object->user == 0 ? thread->index + 1 : kManyUsers;
    }
    if (only_reads(thread, object)) {
      effect = 'r';
      step.options |= uint64_t{wire::kOnlyReads} << StepWords::kFlagsShift;
    }
    what ^= object->name << 1;
    moment.hash = mix(what, thread->last_hash);
    moment = account_for(object, effect == 'w', moment);
    if (HEDDLE_UNLIKELY(pending.second != 0) && second_object(pending) != 0) {
      ObjectRecord* second = find_object(pending.second, pending.copies ? pending.bytes : 1);
      if (size != wire::kManyBytes) step.second = second->name;
      if (pending.copies) step.options |= uint64_t{wire::kCopies} << StepWords::kFlagsShift;
      moment.hash = mix(what, moment.hash);
      moment = account_for(second, !pending.copies, moment);
    }
  }
  thread->last_hash = moment.hash;
  thread->now = moment.now;
  run.fingerprint += moment.hash;
  run.sequence = mix(run.sequence, moment.hash);
  write_step(step, &run.trace[run.step]);
}

// The step of `thread` goes into the trace.
inline void record(Thread* thread, uint32_t choice, uint32_t options, uint32_t free_options,
                   uint32_t own = 1) {
  Run& run = g_run;
  // As in wire::Step; there may be more options than it can say.
  uint64_t threads_word = uint16_t(thread->index) | uint64_t(thread->pending.op) << 32 |
                          uint64_t(uint8_t(thread->outcome)) << 40 | uint64_t{choice} << 48;
  uint64_t flags = uint16_t(focus_flags(thread) | thread->flags);
  uint64_t options_word = uint16_t(options) | uint64_t(uint16_t(free_options)) << 16 |
                          uint64_t(uint16_t(own)) << 32 | flags << wire::StepWords::kFlagsShift;
  thread->flags = 0;
  account(thread, threads_word, options_word);
  ++run.step;
  g_region->current_step.store(run.step, std::memory_order_relaxed);
}

}  // namespace heddle::runtime

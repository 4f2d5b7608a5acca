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

// What a step is on, and what that makes of it.
struct Accounted {
  uint64_t object;  // as in wire::Step
  uint64_t second;
  uint32_t size;
  uint32_t flags;
  Moment moment;
};

// The step of `thread` is on an object. `what` it is goes into its hash.
__attribute__((always_inline)) inline Accounted account_on_object(Thread* thread, uint64_t what,
                                                                  char effect) {
  const Pending& pending = thread->pending;
  // Often it is the one that the last step was on.
  ObjectRecord* object = g_run.object;
  if (HEDDLE_UNLIKELY(!is_of(object, pending.object, pending.bytes))) {
    g_run.object = object = find_object(pending.object, pending.bytes);
  }
  Accounted step{object->name, 0, static_cast<uint32_t>(pending.bytes), 0, {}};
  if (HEDDLE_UNLIKELY(pending.bytes >= wire::kManyBytes)) {
    step.size = wire::kManyBytes;
    step.second = pending.bytes;
  }
  if (HEDDLE_UNLIKELY(object->maker != 0)) check_making(object, thread);
  if (object->user != thread->index + 1) {
    object->user = object->user == 0 ? thread->index + 1 : kManyUsers;
  }
  if (only_reads(thread, object)) {
    effect = 'r';
    step.flags = wire::kOnlyReads;
  }
  what ^= object->name << 1;
  step.moment =
      account_for(object, effect == 'w', Moment{mix(what, thread->last_hash), thread->now});
  if (HEDDLE_UNLIKELY(pending.second != 0) && second_object(pending) != 0) {
    ObjectRecord* second = find_object(pending.second, pending.copies ? pending.bytes : 1);
    if (step.size != wire::kManyBytes) step.second = second->name;
    if (pending.copies) step.flags |= wire::kCopies;
    step.moment.hash = mix(what, step.moment.hash);
    step.moment = account_for(second, !pending.copies, step.moment);
  }
  return step;
}

// Two fields of 16 bits.
constexpr uint64_t joined(uint32_t low, uint32_t high) {
  return static_cast<uint16_t>(low) | uint64_t{static_cast<uint16_t>(high)} << 16;
}

// Word by word: as a whole they would be put together in memory first.
inline void store(const wire::StepWords& words, wire::Step* step) {
  typedef uint64_t __attribute__((may_alias)) Word;
  Word* out = reinterpret_cast<Word*>(step);
  out[0] = words.thread;
  out[1] = words.options;
  out[2] = words.check;
  out[3] = words.object;
  out[4] = words.second;
  out[5] = words.pc;
}

// The step of `thread` goes into the fingerprint, and into the trace, and is sealed. It is put
// together in registers: one that was stored piece by piece could not be read soon after.
__attribute__((always_inline)) inline void record_here(Thread* thread, uint32_t choice,
                                                       uint32_t options, uint32_t free_options,
                                                       uint32_t own) {
  Run& run = g_run;
  const Pending& pending = thread->pending;
  uint64_t what = static_cast<uint64_t>(pending.op) | uint64_t{thread->outcome} << 8;
  char effect = wire::op_effect(pending.op);
  uint32_t flags = uint32_t{focus_flags(thread)} | thread->flags;
  Accounted step;
  if (HEDDLE_UNLIKELY(effect == '-')) {
    step = {0, 0, 0, 0, {mix(what, thread->last_hash), thread->now + kNanosecondsPerStep}};
  } else {
    step = account_on_object(thread, what, effect);
  }
  flags |= step.flags;
  uint32_t number = run.step;
  uint64_t sequence = run.sequence;
  wire::StepWords words;
  words.thread = joined(thread->index, step.size) |
                 (static_cast<uint64_t>(pending.op) | uint64_t{thread->outcome & 0xff} << 8 |
                  uint64_t{choice} << 16)
                     << 32;
  words.options = joined(options, free_options) | joined(own, flags) << 32;
  words.check = static_cast<uint32_t>(sequence) | uint64_t{thread->after} << 32;
  words.object = step.object;
  words.second = step.second;
  words.pc = pending.pc;
  thread->flags = 0;
  thread->after = wire::kNoStep;
  thread->last_hash = step.moment.hash;
  thread->now = step.moment.now;
  run.seal += wire::seal_of(words);
  run.fingerprint += step.moment.hash;
  run.sequence = mix(sequence, step.moment.hash);
  run.step = number + 1;
  wire::Region* region = g_region;
  // Last: what is stored there could be anything's, as far as the compiler knows.
  store(words, &run.trace[number]);
  region->current_step.store(number + 1, std::memory_order_relaxed);
}

__attribute__((noinline)) inline void record(Thread* thread, uint32_t choice, uint32_t options,
                                             uint32_t free_options, uint32_t own = 1) {
  record_here(thread, choice, options, free_options, own);
}

}  // namespace heddle::runtime

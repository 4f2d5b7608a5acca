// State matching without storing states: the fingerprint of a prefix's happens-before stands for
// the state that it leads to, or what the test declares by heddle::state
// (runtime/schedule/state_keys.h). The key has what else decides the future: what the bounds have
// left, and for them the running thread. What the fair scheduler knows is in the key as it comes
// from the worker.
#pragma once

#include <span>

#include "causality/execution.h"
#include "explore/seen_set.h"
#include "explore/strategy.h"
#include "wire/observation.h"

namespace heddle::explore {

class StateMatcher {
 public:
  // What bounds have to do with the future.
  struct Left {
    bool preemptions;  // those made so far count, and who is running
    bool delays;
    uint32_t delayed;  // so far
    bool depth;
  };

  // The execution whose states are asked for, by rising step.
  void look_at(const causality::Execution& execution) { notes_ = execution.notes; }

  // Of a step at which there was a choice. False: it was seen before.
  bool visit(const wire::Branch& branch, const Left& left) {
    return visit(branch.step, branch.preemptions, left, mix(branch.check, branch.step));
  }
  // Of a step that was not made.
  bool visit(uint32_t step, uint32_t preemptions, const Left& left, uint64_t otherwise);
  // Of what is no state that could come again: an end.
  bool visit_key(uint64_t key) {
    bool is_new = seen_.insert(key);
    if (!is_new) ++matched_;
    return is_new;
  }
  bool has_note(uint32_t step) { return find(step) != nullptr; }

  uint64_t states() const { return seen_.size(); }
  uint64_t matched() const { return matched_; }
  Matching matching() const { return {states(), matched_, true}; }

  void save(ByteWriter& out) const {
    seen_.save(out);
    out.put(matched_);
  }
  void load(ByteReader& in) {
    seen_.load(in);
    in.get(&matched_);
  }

 private:
  const uint64_t* find(uint32_t step);

  std::span<const uint64_t> notes_;  // those that are still to come
  SeenSet seen_;
  uint64_t matched_ = 0;
};

}  // namespace heddle::explore

// method and var: what the tester has named comes first (gambit, section 4.3, "Tester input").
//
//   0, high:   what is preempted and what preempts it are both in focus
//   1, medium: one of them is
//   2, low:    neither is
//
// What is preempted is the next step of the thread that ran before; what preempts it is the next
// step of the thread that would go: in this execution, or pending at its end. The beginning of a
// thread stands for what the thread does after it, since that is what it leads to. The runtime has
// marked the steps (wire::kInFocus, wire::kVarInFocus).
#pragma once

#include "explore/next_steps.h"
#include "explore/priority/priority.h"

namespace heddle::explore {

class InFocus final : public Priority {
 public:
  explicit InFocus(wire::StepFlags flag) : flag_(flag) {}

  bool needs_whole() const override { return true; }

  void look_at(const trace::Execution& execution) override { next_.look_at(execution); }

  int32_t of(const Candidate& candidate) override {
    bool preempted = in_focus(next_.running_before(candidate.step), candidate.step);
    bool preempting = in_focus(candidate.thread, candidate.step);
    return 2 - (preempted ? 1 : 0) - (preempting ? 1 : 0);
  }

 private:
  bool in_focus(uint32_t thread, uint32_t step) const {
    const wire::Step* next = next_.of(thread, step);
    return next != nullptr && (next->flags & flag_) != 0;
  }

  wire::StepFlags flag_;
  NextSteps next_;
};

}  // namespace heddle::explore

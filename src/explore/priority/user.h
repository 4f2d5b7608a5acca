// user: a function that the tester has written in C++ (gambit, section 4.3: GetPriority). It comes
// with heddle::Options::priority, and sees whole executions.
#pragma once

#include <functional>
#include <utility>

#include "explore/next_steps.h"
#include "explore/priority/priority.h"

namespace heddle::explore {

using UserFunction = std::function<int32_t(const trace::Execution& execution, const NextSteps& next,
                                           uint32_t step, uint32_t thread)>;

class UserWritten final : public Priority {
 public:
  explicit UserWritten(UserFunction function) : function_(std::move(function)) {}

  bool needs_whole() const override { return true; }

  void look_at(const trace::Execution& execution) override {
    execution_ = &execution;
    next_.look_at(execution);
  }

  int32_t of(const Candidate& candidate) override {
    return function_(*execution_, next_, candidate.step, candidate.thread);
  }

 private:
  UserFunction function_;
  const trace::Execution* execution_ = nullptr;
  NextSteps next_;
};

}  // namespace heddle::explore

// What each thread does next, at any point of an execution that is given with all of its steps.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/execution.h"

namespace heddle::explore {

class NextSteps {
 public:
  // The execution must last as long as questions are asked.
  void look_at(const trace::Execution& execution);

  // The first step of the thread at or after `step` that is not its beginning, or what it would
  // have done next when the execution ended; null: nothing is known of any.
  const wire::Step* of(uint32_t thread, uint32_t step) const;

  // The thread of the step before; wire::kNoThread: there is none.
  uint32_t running_before(uint32_t step) const;

 private:
  struct Next {
    uint32_t number;  // kNoStep: pending
    const wire::Step* step;
  };
  void add(uint32_t number, const wire::Step& step);

  const trace::Execution* execution_ = nullptr;
  std::vector<std::vector<Next>> of_thread_;  // by falling number
  uint32_t threads_ = 0;                      // so many of them are in use
};

}  // namespace heddle::explore

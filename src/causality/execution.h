// One run of the program, as whoever looks at it has it: the worker that ran it, or the engine.
#pragma once

#include <cstdint>
#include <span>

#include "wire/layout.h"

namespace heddle::causality {

// The spans hold while the execution is looked at, and no longer.
struct Execution {
  uint64_t id = 0;  // of its job
  wire::Result result{};
  std::span<const wire::Step> steps;    // [result.first_step, result.step_count)
  std::span<const wire::Step> pending;  // what the living would have done next, if it was wanted
  // The threads of the options of step 0, of step 1, …, if they were wanted; they may end early.
  std::span<const uint16_t> option_threads;
  std::span<const char> states;  // wire::StateRecords: of those that its worker had not seen before
  std::span<const uint64_t> notes;  // words that the directive asks for: kNoteReads, kNoteStates
  std::span<const char> digest;  // instead of steps, pending ones and options: wire/observation.h

  bool failed() const { return result.ending == wire::Ending::failed; }
  // All steps are there, and there are some.
  bool is_whole() const { return result.first_step == 0 && !steps.empty(); }
};

}  // namespace heddle::causality

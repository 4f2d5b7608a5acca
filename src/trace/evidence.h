// Evidence: all that a report needs of one execution, as a value. The pool copies it out of the
// region (pool/evidence.h); nobody above the pool sees a region or a worker, so that evidence could
// as well come from a file, or from another machine.
//
// It is raw: addresses are those of the worker, `modules` resolves them (symbols/symbols.h), and
// trace/make_finding.h makes words of it. Counts and sizes have been checked; what else stands in
// it may be anything, since the program may have written over it before it was copied.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "symbols/modules.h"
#include "wire/layout.h"

namespace heddle::trace {

using symbols::Modules;

// What was recorded with wire::kDetail.
struct Details {
  wire::FailureDetail failure{};
  uint64_t disputed = 0;  // as in wire::Detail
  std::vector<wire::Witness> witnesses;
  std::vector<wire::NamedObject> names;
  std::vector<wire::StepDetail> steps;      // of the last steps, by rising step
  std::vector<wire::EarlyStep> early;       // of those before, likewise; some may be left out
  std::vector<wire::Stack> early_stacks;    // that they have: EarlyStep::stack - 1
  std::vector<wire::ThreadDetail> threads;  // all; empty: not known
};

struct Evidence {
  wire::Result result{};
  std::vector<wire::Step> steps;  // [result.first_step, result.step_count)
  // The threads of the options of step 0, of step 1, …, if they were wanted; they may end early.
  std::vector<uint16_t> option_threads;
  std::string message;  // not empty: the engine's, since the worker could not report
  Modules modules;
  std::optional<Details> details;
  std::string output;       // of the program, if it was captured
  std::string unsupported;  // what was used that is not supported; behind a line break a hint
  wire::Stack unsupported_at{};
  std::optional<wire::ScriptPlace> wanted;  // by a script; the execution ended there
  std::vector<wire::FoundPlace>
      racing;  // places that it has found to race, and that were no operations
};

}  // namespace heddle::trace
